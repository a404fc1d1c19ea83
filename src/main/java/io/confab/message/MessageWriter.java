package io.confab.message;

import io.confab.config.Config;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.metrics.Meters;
import io.confab.postgres.Backoff;
import io.confab.postgres.Database;
import io.confab.postgres.FailureKind;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the messages of a lane of rooms in groups, over one connection: while a call is in
/// flight it collects, when it returns the next group goes. No timer: the fsync is the timer.
///
/// Per group: commit, then the senders are answered, then it is announced. After a lost
/// connection the outcome of the group in flight is unknown. Its senders hear `unavailable` at
/// once, and before the next group goes it is settled: the old call has ended, its messages are
/// looked up by their keys, and those that turn out stored are announced, because nobody else
/// would.
///
/// Confined to one event loop.
public final class MessageWriter {
  private static final Logger LOG = LoggerFactory.getLogger(MessageWriter.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

  private final MessageLog log;
  private final Announcer announcer;
  private final Config.Persistence limits;
  private final Timing timing;
  private final Backoff backoff;
  private final Deque<Entry> queue = new ArrayDeque<>();
  private final Promise<Void> closed = Promise.promise();
  private List<Draft> unsettled = List.of();
  private boolean running;
  private boolean watching;
  private boolean closing;

  private record Entry(Draft draft, Promise<Sent> answer, long since) {
    void refuse(String why) {
      answer.tryFail(Refusal.unavailable(why));
    }
  }

  /// A writer with a connection of its own, which is opened when the first message comes.
  public static MessageWriter create(
      Vertx vertx, Database database, Announcer announcer, Config config, Meters meters) {
    Timing timing = Timing.of(vertx);
    return new MessageWriter(
        new MeteredLog(
            new AppendStore(database, config.postgres().statementTimeout()), timing, meters),
        announcer,
        config.persistence(),
        timing,
        new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault()));
  }

  MessageWriter(
      MessageLog log,
      Announcer announcer,
      Config.Persistence limits,
      Timing timing,
      Backoff backoff) {
    this.log = log;
    this.announcer = announcer;
    this.limits = limits;
    this.timing = timing;
    this.backoff = backoff;
  }

  /// Stores a message; answered after its commit, in the order of the calls for one room as
  /// long as they are stored at the first try. Refusals as of [AppendCommand.Append].
  public Future<Sent> append(Draft draft) {
    if (closing) {
      return Future.failedFuture(Refusal.unavailable("the node is going away"));
    }
    if (queue.size() >= limits.queueRows()) {
      return Future.failedFuture(Refusal.unavailable("too many messages are waiting"));
    }
    Entry entry = new Entry(draft, Promise.promise(), timing.nanoTime());
    queue.add(entry);
    run();
    watch();
    return entry.answer().future();
  }

  /// Finishes what was accepted, as far as the database can be reached, and closes the
  /// connection.
  public Future<Void> close() {
    closing = true;
    run();
    return closed.future();
  }

  private void run() {
    if (running) {
      return;
    }
    if (queue.isEmpty() && unsettled.isEmpty()) {
      if (closing) {
        running = true;
        log.close().onComplete(closed);
      }
      return;
    }
    running = true;
    Future<Void> step = log.connected() && unsettled.isEmpty() ? storeNext() : connect();
    step.onFailure(bug -> LOG.error("Storing messages failed", bug))
        .onComplete(
            _ -> {
              running = false;
              run();
            });
  }

  private Future<Void> connect() {
    return log.connect()
        .compose(_ -> settle())
        .onSuccess(_ -> backoff.reset())
        .recover(this::notConnected);
  }

  private Future<Void> notConnected(Throwable cause) {
    if (closing) {
      unsettled = List.of();
      refuse(queue, "the database is away");
      queue.clear();
      return Future.succeededFuture();
    }
    if (backoff.isFirst()) {
      LOG.warn("No connection to store messages: {}", cause.toString());
    }
    return timing.pause(backoff.next());
  }

  private Future<Void> settle() {
    if (unsettled.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Draft> group = unsettled;
    return log.find(group)
        .map(
            found -> {
              unsettled = List.of();
              announce(group, found);
              return null;
            });
  }

  private Future<Void> storeNext() {
    List<Entry> group = new ArrayList<>(Math.min(queue.size(), limits.groupRows()));
    while (!queue.isEmpty() && group.size() < limits.groupRows()) {
      group.add(queue.remove());
    }
    return store(group);
  }

  private Future<Void> store(List<Entry> group) {
    return log.append(drafts(group))
        .transform(
            (outcomes, failure) ->
                failure == null ? answer(group, outcomes) : failed(group, failure));
  }

  private Future<Void> answer(List<Entry> group, List<Outcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      Entry entry = group.get(i);
      entry.answer().handle(outcomes.get(i).answer(entry.draft()));
    }
    announce(drafts(group), outcomes);
    return Future.succeededFuture();
  }

  /// A group that was rolled back is tried again in pieces, so that what is wrong with one room
  /// or one message hurts nobody else.
  private Future<Void> failed(List<Entry> group, Throwable failure) {
    return switch (FailureKind.of(failure)) {
      case LOST -> {
        LOG.warn("The outcome of {} messages is unknown: {}", group.size(), failure.toString());
        unsettled = drafts(group);
        refuse(group, "the outcome is unknown, try again with the same client_id");
        yield Future.succeededFuture();
      }
      case BUSY -> {
        Collection<List<Entry>> rooms = byRoom(group);
        if (rooms.size() > 1) {
          yield storeEach(rooms.iterator());
        }
        refuse(group, "the database is busy");
        yield Future.succeededFuture();
      }
      case FAULT -> {
        if (group.size() > 1) {
          yield storeEach(group.stream().map(List::of).iterator());
        }
        group.forEach(entry -> entry.answer().fail(failure));
        yield Future.succeededFuture();
      }
    };
  }

  private Future<Void> storeEach(Iterator<List<Entry>> pieces) {
    if (!pieces.hasNext()) {
      return Future.succeededFuture();
    }
    if (!unsettled.isEmpty()) {
      pieces.forEachRemaining(piece -> refuse(piece, "the database is away"));
      return Future.succeededFuture();
    }
    return store(pieces.next()).compose(_ -> storeEach(pieces));
  }

  private static Collection<List<Entry>> byRoom(List<Entry> group) {
    Map<Object, List<Entry>> rooms = new LinkedHashMap<>();
    for (Entry entry : group) {
      rooms.computeIfAbsent(entry.draft().roomId(), _ -> new ArrayList<>()).add(entry);
    }
    return rooms.values();
  }

  private static List<Draft> drafts(List<Entry> group) {
    return group.stream().map(Entry::draft).toList();
  }

  private static void refuse(Collection<Entry> entries, String why) {
    entries.forEach(entry -> entry.refuse(why));
  }

  private void announce(List<Draft> group, List<Outcome> outcomes) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Stored stored) {
        events.add(Event.of(stored.message(group.get(i)), log.epoch()));
      }
    }
    if (!events.isEmpty()) {
      announcer.announce(events);
    }
  }

  /// Refuses who waited too long, without a timer for each.
  private void watch() {
    Optional<Entry> oldest = Optional.ofNullable(queue.peek());
    if (watching || oldest.isEmpty()) {
      return;
    }
    watching = true;
    long left = limits.waitLimit().toNanos() - (timing.nanoTime() - oldest.get().since());
    Duration pause = Duration.ofNanos(Math.max(left, SHORTEST_PAUSE.toNanos()));
    timing
        .pause(pause)
        .onComplete(
            _ -> {
              watching = false;
              expire();
              watch();
            });
  }

  private void expire() {
    long now = timing.nanoTime();
    while (!queue.isEmpty() && now - queue.element().since() >= limits.waitLimit().toNanos()) {
      queue.remove().refuse("waited too long for the database");
    }
  }
}
