package io.confab.message;

import io.confab.config.Config;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.confab.seat.SeatCommand;
import io.confab.time.Timing;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What waits for a writer, in the order in which it came; bounded in number, in bytes and in time.
/// Bytes count until they are settled, with those that are on their way to the database.
///
/// What waits for a room that somebody else has locked is put aside, so that other rooms go on, and
/// comes back in its order when the room is free.
final class WriterQueue {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  /// What an entry takes beside its text, about.
  private static final int ENTRY = 1_000;

  /// Characters after which a group of envelopes takes no more.
  private static final long GROUP_LENGTH = 1 << 20;

  private final Config.Persistence limits;
  private final long mostBytes;
  private final Timing timing;
  private final GroupBound bound = new GroupBound();
  private final Deque<Entry> line = new ArrayDeque<>();
  private final Map<RoomId, Deque<Entry>> aside = new LinkedHashMap<>();

  /// Written by the loop of the writer alone, read by any thread.
  private volatile int rows;

  private long bytes;
  private boolean watching;

  /// What is asked for, and where the answer goes.
  sealed interface Entry {
    Promise<?> answer();

    /// When it was asked for.
    long since();

    RoomId room();

    /// Whether who asks was found inside, which is good for a while only.
    boolean seated();

    /// What it takes in memory, about.
    long bytes();

    default void refuse(String why) {
      answer().tryFail(Refusal.unavailable(why));
    }
  }

  record Sending(Draft draft, Promise<Sent> answer, long since) implements Entry {
    @Override
    public RoomId room() {
      return draft.roomId();
    }

    @Override
    public boolean seated() {
      return draft.seated();
    }

    @Override
    public long bytes() {
      return ENTRY + (long) Character.BYTES * draft.body().length();
    }
  }

  record Changing(MessageChange change, Promise<Changed> answer, long since) implements Entry {
    @Override
    public RoomId room() {
      return change.roomId();
    }

    @Override
    public boolean seated() {
      return change.seated();
    }

    @Override
    public long bytes() {
      return switch (change) {
        case MessageChange.Edit edit -> ENTRY + (long) Character.BYTES * edit.body().length();
        case MessageChange.Deletion _ -> ENTRY;
      };
    }
  }

  /// @param tries how often the database had no means for it
  record Sealing(EnvelopeDraft draft, Promise<EnvelopeSent> answer, long since, int tries)
      implements Entry {
    /// Without a room what one account sends so is held together as if it were one, which no room's
    /// number is.
    @Override
    public RoomId room() {
      RoomId room = draft.roomId();
      return room == null ? new RoomId(-draft.sender().account().value()) : room;
    }

    @Override
    public boolean seated() {
      return false; // a sealed room has no capacity
    }

    @Override
    public long bytes() {
      return ENTRY + (long) ENTRY * draft.bodies().size() + Character.BYTES * draft.length();
    }

    /// @param under for how long it was on its way, which is no waiting
    Sealing triedAgain(long under) {
      return new Sealing(draft, answer, since + under, tries + 1);
    }

    /// All of a call have a room, or none has.
    boolean goesWith(Sealing other) {
      return (draft.roomId() == null) == (other.draft.roomId() == null);
    }
  }

  /// What goes to the database in one call.
  sealed interface Batch {
    List<? extends Entry> entries();
  }

  record Sends(List<Sending> entries) implements Batch {}

  record Changes(List<Changing> entries) implements Batch {}

  record Sealings(List<Sealing> entries) implements Batch {}

  /// @param mostBytes that wait
  WriterQueue(Config.Persistence limits, Timing timing, long mostBytes) {
    this.limits = limits;
    this.timing = timing;
    this.mostBytes = mostBytes;
  }

  /// What groups of envelopes are held to.
  GroupBound bound() {
    return bound;
  }

  /// Whether nothing can go now.
  boolean isEmpty() {
    return line.isEmpty();
  }

  boolean isFull() {
    return rows >= limits.queueRows() || bytes >= mostBytes;
  }

  /// The rooms that were locked when last seen.
  Set<RoomId> aside() {
    return Set.copyOf(aside.keySet());
  }

  /// Its answer fails with `unavailable` once it has waited too long.
  void add(Entry entry) {
    aside.getOrDefault(entry.room(), line).add(count(entry));
    watch();
  }

  /// How many wait, for any thread.
  int size() {
    return rows;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private Entry count(Entry entry) {
    rows++;
    bytes += entry.bytes();
    return entry;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private Entry uncount(Entry entry) {
    rows--;
    bytes -= entry.bytes();
    return entry;
  }

  /// Refuses all that waits for a room.
  void refuse(RoomId room, String why) {
    List<Entry> behind = remove(each -> each.room().equals(room));
    behind.forEach(each -> uncount(each).refuse(why));
  }

  private List<Entry> remove(Predicate<Entry> some) {
    List<Entry> removed = new ArrayList<>();
    for (Deque<Entry> each : lines().toList()) {
      each.removeIf(entry -> some.test(entry) && removed.add(entry));
    }
    aside.values().removeIf(Deque::isEmpty);
    return removed;
  }

  /// Takes back what was taken out, of rooms that are locked, and keeps it aside with all that
  /// waits for them.
  void putAside(List<? extends Entry> taken) {
    for (Entry entry : taken) {
      aside.computeIfAbsent(entry.room(), _ -> new ArrayDeque<>()).add(count(entry));
    }
    line.removeIf(
        waiting -> {
          Deque<Entry> back = aside.get(waiting.room());
          return back != null && back.add(waiting);
        });
    watch();
  }

  /// Lets all rooms go on but those that are held: messages before what came later, sends of sealed
  /// rooms behind it, as their next try may cost the others time again.
  void release(Set<RoomId> held) {
    aside
        .entrySet()
        .removeIf(
            room -> {
              if (held.contains(room.getKey())) {
                return false;
              }
              Deque<Entry> back = room.getValue();
              if (back.peek() instanceof Sealing) {
                line.addAll(back);
              } else {
                back.descendingIterator().forEachRemaining(line::addFirst);
              }
              return true;
            });
  }

  /// Takes out what goes next, which must be there: sends that follow each other go together, and
  /// so do changes. Their bytes count on, until they are [#settled].
  Batch take() {
    return switch (line.element()) {
      case Sending _ -> new Sends(takeAll(Sending.class));
      case Changing _ -> new Changes(takeAll(Changing.class));
      case Sealing first -> new Sealings(takeAll(first));
    };
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private <E extends Entry> List<E> takeAll(Class<E> kind) {
    List<E> taken = new ArrayList<>(Math.min(line.size(), limits.groupRows()));
    while (taken.size() < limits.groupRows() && kind.isInstance(line.peek())) {
      taken.add(kind.cast(line.remove()));
    }
    rows -= taken.size();
    return taken;
  }

  /// Sends of sealed rooms that go together: no more than reach so many characters, nor than write
  /// so many rows, but one.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private List<Sealing> takeAll(Sealing first) {
    List<Sealing> taken = new ArrayList<>();
    long length = 0;
    long written = 0;
    while (taken.size() < limits.groupRows()
        && length < GROUP_LENGTH
        && line.peek() instanceof Sealing next
        && next.goesWith(first)
        && (taken.isEmpty() || written + bound.rows(next.draft()) <= bound.most())) {
      line.remove();
      taken.add(next);
      length += next.draft().length();
      written += bound.rows(next.draft());
    }
    rows -= taken.size();
    return taken;
  }

  /// Nobody needs any more what was taken, but for what was put aside again.
  void settled(Batch batch) {
    batch.entries().forEach(entry -> bytes -= entry.bytes());
  }

  void refuseAll(String why) {
    release(Set.of());
    line.forEach(waiting -> uncount(waiting).refuse(why));
    line.clear();
  }

  /// Refuses what waited too long, without a timer for each.
  private void watch() {
    if (watching || rows == 0) {
      return;
    }
    watching = true;
    long left = lines().flatMap(Deque::stream).mapToLong(this::left).min().orElseThrow();
    long soon = Math.min(left, SeatCommand.WRITE.toNanos()); // one that may wait less may come
    timing
        .pause(Duration.ofNanos(Math.max(soon, SHORTEST_PAUSE.toNanos())))
        .onComplete(
            _ -> {
              watching = false;
              expire();
              watch();
            });
  }

  /// Who is refused may come back at once: then nothing is looked through any more. What a sealed
  /// room has behind it may need its keys, and is refused with it.
  private void expire() {
    Set<RoomId> rooms = new HashSet<>();
    List<Entry> over =
        remove(
            each ->
                each instanceof Sealing
                    ? rooms.contains(each.room()) || (left(each) <= 0 && rooms.add(each.room()))
                    : left(each) <= 0);
    over.forEach(each -> uncount(each).refuse("waited too long for the database"));
  }

  private Stream<Deque<Entry>> lines() {
    return Stream.concat(Stream.of(line), aside.values().stream()).filter(each -> !each.isEmpty());
  }

  /// For how long it may still wait.
  private long left(Entry waiting) {
    Duration most = limits.waitLimit();
    boolean isShorter = waiting.seated() && most.compareTo(SeatCommand.WRITE) > 0;
    long waited = timing.nanoTime() - waiting.since();
    return (isShorter ? SeatCommand.WRITE : most).toNanos() - waited;
  }
}
