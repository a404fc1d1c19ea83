package io.confab.message;

import io.confab.config.Config;
import io.confab.feed.Announcer;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeSent;
import io.confab.time.Backoff;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the messages of a lane of rooms in groups, over one connection: while a call is in
/// flight it collects, when it returns the next group goes. No timer: the fsync is the timer.
/// So do edits and deletions, which go in between, in the order in which all came.
///
/// A room that somebody else has locked is put aside after a short wait, and looked at every 50 ms:
/// other rooms go on, and its own entries keep their order. So it is with a sealed room of which a
/// queue is held, and with one for whose sends the database had no means, after a longer pause.
///
/// Per call: commit, then the answers, then the announcement ([GroupCommit]).
/// After a lost connection the next call goes when what was in flight is settled.
///
/// Confined to one event loop.
public final class MessageWriter {
  private static final Logger LOG = LoggerFactory.getLogger(MessageWriter.class);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /// Sends of sealed rooms cost their sender much to make anew: 100 to 1,600 ms.
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private static final int MOST_TRIES = 5;
  private static final String BUSY = "the database is busy";

  private final MessageLog log;
  private final Timing timing;
  private final Backoff backoff;
  private int failures;
  private final WriterQueue queue;
  private final GroupCommit commit;
  private final Promise<Void> closed = Promise.promise();
  private WriterQueue.@Nullable Batch underWay;

  /// When what is under way was taken out.
  private long begun;

  private boolean running;
  private boolean waiting;
  private boolean looking;
  private boolean closing;

  /// Until when sealed rooms that were tried in vain are not tried again.
  private final Map<RoomId, Long> resting = new HashMap<>();

  /// @param mostBytes that wait
  MessageWriter(
      MessageLog log,
      Announcer announcer,
      Config.Persistence limits,
      long mostBytes,
      Timing timing,
      Backoff backoff) {
    this.log = log;
    this.timing = timing;
    this.backoff = backoff;
    this.queue = new WriterQueue(limits, timing, mostBytes);
    this.commit = new GroupCommit(log, announcer, queue.bound(), this::held, this::busy);
  }

  /// Stores a message; answered after its commit. What is asked for one room happens and is
  /// answered in the order of the calls, as long as it is stored at the first try. Refusals as
  /// of [WriteCommand.Send].
  public Future<Sent> append(Draft draft) {
    Promise<Sent> answer = Promise.promise();
    accept(new WriterQueue.Sending(draft, answer, timing.nanoTime()));
    return answer.future();
  }

  /// Edits or deletes a message; as above. Refusals as of [WriteCommand.Change].
  public Future<Changed> change(MessageChange change) {
    Promise<Changed> answer = Promise.promise();
    accept(new WriterQueue.Changing(change, answer, timing.nanoTime()));
    return answer.future();
  }

  /// Puts a send of a sealed room into the queues of its devices; as above. While the database has
  /// no means for it, it is tried again after growing pauses, and what came later for the same room
  /// waits behind it: one may bring the key of the next.
  /// Refusals as of [WriteCommand.Put].
  public Future<EnvelopeSent> put(EnvelopeDraft draft) {
    Promise<EnvelopeSent> answer = Promise.promise();
    accept(new WriterQueue.Sealing(draft, answer, timing.nanoTime(), 0));
    return answer.future();
  }

  /// How many sends and changes wait, for any thread.
  int waiting() {
    return queue.size();
  }

  private void accept(WriterQueue.Entry entry) {
    if (closing) {
      entry.refuse("the node is going away");
    } else if (queue.isFull()) {
      entry.refuse("too many messages are waiting");
    } else {
      queue.add(entry);
      run();
    }
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
    forgetWhatIsSettled();
    if (!looking && queue.isEmpty() && commit.isSettled()) {
      if (closing && queue.aside().isEmpty()) {
        running = true;
        log.close().onComplete(closed);
      }
      return;
    }
    running = true;
    Future<Void> step =
        !log.connected() || !commit.isSettled()
            ? connect()
            : looking ? look() : store(queue.take());
    step.onFailure(bug -> LOG.error("Storing messages failed", bug))
        .onComplete(
            _ -> {
              running = false;
              run();
            });
  }

  private Future<Void> store(WriterQueue.Batch batch) {
    underWay = batch;
    begun = timing.nanoTime();
    return commit.store(batch);
  }

  /// What was in flight when a connection was lost is kept until it is looked up.
  private void forgetWhatIsSettled() {
    if (underWay != null && commit.isSettled()) {
      queue.settled(underWay);
      underWay = null;
    }
  }

  /// These wait for what somebody else has locked. A try with a queue that is held costs the other
  /// rooms the wait for its lock, so sends of sealed rooms rest before the next.
  private void held(List<? extends WriterQueue.Entry> entries) {
    for (WriterQueue.Entry entry : entries) {
      if (entry instanceof WriterQueue.Sealing) {
        rest(entry.room(), FIRST_RETRY);
      }
    }
    putAside(entries);
  }

  private void rest(RoomId room, Duration time) {
    resting.put(room, timing.nanoTime() + time.toNanos());
  }

  private void putAside(List<? extends WriterQueue.Entry> entries) {
    queue.putAside(entries);
    lookLater();
  }

  /// The database had no means for these, which are all for one room. What is behind one that is
  /// given up may need its keys, and is given up with it.
  private void busy(List<? extends WriterQueue.Entry> entries) {
    List<WriterQueue.Sealing> again = new ArrayList<>();
    long under = timing.nanoTime() - begun;
    boolean given = false;
    for (WriterQueue.Entry entry : entries) {
      if (!given && entry instanceof WriterQueue.Sealing sealing && sealing.tries() < MOST_TRIES) {
        again.add(sealing.triedAgain(under));
      } else {
        given = true;
        entry.refuse(BUSY);
      }
    }
    if (given && entries.getFirst() instanceof WriterQueue.Sealing first) {
      queue.refuse(first.room(), BUSY);
    }
    if (!again.isEmpty()) {
      WriterQueue.Sealing first = again.getFirst();
      rest(first.room(), FIRST_RETRY.multipliedBy(1L << (first.tries() - 1)));
      putAside(again);
    }
  }

  private void lookLater() {
    if (waiting || queue.aside().isEmpty()) {
      return;
    }
    waiting = true;
    timing
        .pause(BETWEEN_LOOKS)
        .onComplete(
            _ -> {
              waiting = false;
              looking = !queue.aside().isEmpty();
              run();
            });
  }

  /// Lets rooms that were put aside go on when they are free, and have rested.
  private Future<Void> look() {
    looking = false;
    long now = timing.nanoTime();
    resting.values().removeIf(until -> until <= now);
    Set<RoomId> held = new HashSet<>(resting.keySet());
    Set<RoomId> asked = new HashSet<>(queue.aside());
    asked.removeAll(held);
    Future<Set<RoomId>> locked =
        asked.isEmpty() ? Future.succeededFuture(Set.of()) : log.locked(asked);
    return locked
        .onSuccess(
            still -> {
              held.addAll(still);
              queue.release(held);
            })
        .transform(
            (_, _) -> {
              lookLater();
              return Future.succeededFuture();
            });
  }

  private Future<Void> connect() {
    return log.connect()
        .compose(_ -> commit.settle())
        .onSuccess(_ -> failures = 0)
        .recover(this::notConnected);
  }

  private Future<Void> notConnected(Throwable cause) {
    if (closing) {
      commit.giveUp();
      queue.refuseAll("the database is away");
      looking = false;
      return Future.succeededFuture();
    }
    if (failures == 0) {
      LOG.warn("No connection to store messages: {}", cause.toString());
    }
    return timing.pause(backoff.delay(failures++));
  }
}
