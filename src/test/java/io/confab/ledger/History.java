package io.confab.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Everything that happened, in the order in which it did, by one clock. For any thread.
///
/// The order of the entries is the order in real time: who writes an entry before a request leaves
/// and one after its answer came may conclude from their places.
public final class History implements AutoCloseable {
  private final LongSupplier nanos;
  private final @Nullable Writer out;
  private final JsonLine json = new JsonLine();
  private final List<Entry> entries = new ArrayList<>();

  private History(LongSupplier nanos, @Nullable Writer out) {
    this.nanos = nanos;
    this.out = out;
  }

  /// @param nanos does not go back
  public static History inMemory(LongSupplier nanos) {
    return new History(nanos, null);
  }

  /// Also as JSON, an entry a line, each there once [#add] returns.
  public static History toFile(LongSupplier nanos, Path file) {
    try {
      return new History(nanos, Files.newBufferedWriter(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Appends what is made with the time.
  public synchronized void add(LongFunction<? extends Entry> entry) {
    Entry made = entry.apply(nanos.getAsLong());
    entries.add(made);
    if (out == null) {
      return;
    }
    try {
      out.write(json.of(made));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All so far.
  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  public synchronized int size() {
    return entries.size();
  }

  /// Those from this place on.
  public synchronized List<Entry> since(int place) {
    return List.copyOf(entries.subList(place, entries.size()));
  }

  @Override
  public synchronized void close() {
    if (out == null) {
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
