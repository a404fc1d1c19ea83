package io.confab.client.sealed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// Keys and values of one device in one file that only its owner can read. A transaction is kept as
/// a whole or not at all, also when the process or the machine dies in the midst of it, and is kept
/// for good when it returns.
///
/// The file is a log ([LogFormat]): a transaction is one write at its end and a flush to the disk.
/// What is there of the last one without the rest is cut off at opening; anything else that does
/// not fit its checksum is damage and refused, since a ratchet that goes back gives away what it
/// encrypts. Values stay in the file, their places are in memory. What nobody needs any more goes
/// when the rest is copied into a new file, which then takes the name of the old one.
///
/// One process opens it at a time. A failed write ends it: what the file holds then is known after
/// opening it anew.
public final class SealedStore implements AutoCloseable {
  /// A file is copied when it holds this much that nobody needs, and more of that than of the rest.
  static final long COPY_ABOVE = 1 << 20;

  private static final int COPIED_AT_ONCE = 1 << 20;

  private final StoreFolder folder;
  private final FileLock lock;
  private final NavigableMap<String, Slot> slots = new TreeMap<>();
  private LogFile log;
  private long live;
  private boolean replaced;
  private boolean failed;
  private boolean closed;

  private SealedStore(StoreFolder folder, FileLock lock) throws IOException {
    this.folder = folder;
    this.lock = lock;
    Files.deleteIfExists(folder.draft());
    log = LogFile.read(folder.open(folder.log()), this::take);
    folder.keepNames();
  }

  /// Opens the store in a folder, which is made where there is none. Fails as
  /// [DamagedStoreException] inside of an [UncheckedIOException] when it is damaged.
  public static SealedStore open(Path path) {
    try {
      StoreFolder folder = StoreFolder.make(path);
      FileLock lock = folder.lock();
      try {
        return new SealedStore(folder, lock);
      } catch (IOException | RuntimeException e) {
        lock.acquiredBy().close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized Optional<byte[]> get(String key) {
    Slot slot = slots.get(key);
    return slot == null ? Optional.empty() : Optional.of(value(slot));
  }

  /// The keys that begin so, in order.
  synchronized List<String> keys(String prefix) {
    return List.copyOf(beginning(slots, prefix).keySet());
  }

  /// Keeps all that the work changes, or nothing when it throws.
  synchronized <T> T transact(Function<Changes, T> work) {
    Changes changes = new Changes(this);
    T result = work.apply(changes);
    if (!changes.all().isEmpty()) {
      keep(LogFormat.frame(changes.all()));
    }
    return result;
  }

  /// The same for work without a result.
  synchronized void change(Consumer<Changes> work) {
    transact(
        changes -> {
          work.accept(changes);
          return changes;
        });
  }

  /// Takes what was removed or replaced out of the file.
  synchronized void purge() {
    if (replaced) {
      write(this::copy);
    }
  }

  @Override
  public synchronized void close() {
    try (var held = lock.acquiredBy();
        var file = log) {
      closed = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <V> Map<String, V> beginning(NavigableMap<String, V> map, String prefix) {
    return map.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
  }

  private void keep(ByteBuffer frame) {
    write(
        () -> {
          long start = log.end();
          log.append(frame);
          log.flush();
          take(frame, start);
          if (log.end() - live > Math.max(COPY_ABOVE, live)) {
            copy();
          }
        });
  }

  private void take(ByteBuffer frame, long start) {
    LogFormat.slots(frame, start)
        .forEach(
            (key, slot) -> {
              Slot old = slot.isPresent() ? slots.put(key, slot.get()) : slots.remove(key);
              live += slot.map(now -> LogFormat.length(key, now.length())).orElse(0);
              live -= old == null ? 0 : LogFormat.length(key, old.length());
              replaced |= old != null;
            });
  }

  private void copy() throws IOException {
    Map<String, Slot> kept = new TreeMap<>(slots);
    LogFile old = log;
    LogFile copied = LogFile.begin(folder.open(folder.draft()));
    try {
      NavigableMap<String, Optional<byte[]>> next = new TreeMap<>();
      long waiting = 0;
      for (Map.Entry<String, Slot> entry : kept.entrySet()) {
        next.put(entry.getKey(), Optional.of(old.value(entry.getValue())));
        waiting += LogFormat.length(entry.getKey(), entry.getValue().length());
        if (waiting > COPIED_AT_ONCE) {
          append(copied, next);
          waiting = 0;
        }
      }
      append(copied, next);
      copied.flush();
      folder.replaceLog();
    } catch (IOException | RuntimeException e) {
      copied.close();
      throw e;
    }
    log = copied;
    replaced = false;
    old.close();
  }

  private void append(LogFile copied, NavigableMap<String, Optional<byte[]>> values)
      throws IOException {
    if (!values.isEmpty()) {
      ByteBuffer frame = LogFormat.frame(values);
      long start = copied.end();
      copied.append(frame);
      LogFormat.slots(frame, start).forEach((key, slot) -> slots.put(key, slot.orElseThrow()));
      values.clear();
    }
  }

  private byte[] value(Slot slot) {
    try {
      return log.value(slot);
    } catch (IOException e) {
      throw new UncheckedIOException(folder.named(e));
    }
  }

  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) {
    if (closed) {
      throw new IllegalStateException("The store is closed.");
    }
    if (failed) {
      throw new UncheckedIOException(folder.named(new IOException("it failed before")));
    }
    failed = true;
    try {
      writing.run();
      failed = false;
    } catch (IOException e) {
      throw new UncheckedIOException(folder.named(e));
    }
  }
}
