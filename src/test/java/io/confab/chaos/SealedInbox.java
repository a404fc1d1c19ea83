package io.confab.chaos;

import io.confab.ledger.Entry;
import io.vertx.core.json.JsonObject;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What waits for one device of sealed rooms. It keeps now and then what has come, acknowledges
/// what it has kept, says of a few that it cannot read them, and forgets what it had not kept when
/// the connection is gone. Belongs to the device's context.
final class SealedInbox {
  private static final long PATIENCE_MS = 6_000;
  private static final long PAUSE_MS = 300;
  private static final double KEEPS_PER_SECOND = 4;
  private static final double ACKS_PER_SECOND = 1.5;
  private static final double REJECTED = 0.01;
  private static final double FORGETS = 0.2;

  private final String device;
  private final long registration;
  private final RunContext world;
  private final RandomGenerator random;

  /// What cannot be read and was not said to be so: nothing from there on is kept.
  private final TreeSet<Long> unreadable = new TreeSet<>();

  private long epoch;
  private long kept;
  private long ackAsked;
  private long acked;

  /// The last number that came on this connection.
  private long came;

  private boolean opened;
  private boolean stopped;
  private @Nullable Ask opening;
  private @Nullable Ask ack;
  private @Nullable Ask reject;
  private long nextOpening;
  private long requests;

  /// Something said that is not answered yet.
  private record Ask(String id, long number, long at) {
    boolean isAnswered(JsonObject answer) {
      return id.equals(answer.getString("re"));
    }
  }

  SealedInbox(String device, long registration, RunContext world, RandomGenerator random) {
    this.device = device;
    this.registration = registration;
    this.world = world;
    this.random = random;
  }

  boolean isOpen() {
    return opened;
  }

  /// Whether the server knows that it has kept all up to this number.
  boolean hasAcknowledged(long last) {
    return opened && acked == last && kept == last && unreadable.isEmpty();
  }

  /// Whether it waits too long for its queue; it can be opened once on a connection.
  boolean isStuck() {
    return opening != null && inTime(opening, world.millis()) == null;
  }

  /// May be refused anything from now on.
  void stop() {
    stopped = true;
  }

  void tick(long elapsedMs, Consumer<JsonObject> say) {
    long now = world.millis();
    ack = inTime(ack, now);
    reject = inTime(reject, now);
    if (!opened) {
      if (opening == null && now >= nextOpening) {
        open(now, say);
      }
      return;
    }
    double seconds = elapsedMs / 1_000.0;
    if (random.nextDouble() < KEEPS_PER_SECOND * seconds) {
      keep();
    }
    if (reject == null && !unreadable.isEmpty() && unreadable.first() <= came) {
      reject = ask(Entry.REJECT, unreadable.first(), now, say);
    }
    long number = Math.min(kept, came);
    if (ack == null && number > acked && random.nextDouble() < ACKS_PER_SECOND * seconds) {
      ackAsked = Math.max(ackAsked, number);
      ack = ask(Entry.ACK, number, now, say);
    }
  }

  private static @Nullable Ask inTime(@Nullable Ask ask, long now) {
    return ask == null || now - ask.at() > PATIENCE_MS ? null : ask;
  }

  /// Behind what it has kept, or a part of that comes once more.
  private void open(long now, Consumer<JsonObject> say) {
    long after =
        kept > ackAsked && random.nextDouble() < FORGETS ? random.nextLong(ackAsked, kept) : kept;
    String id = "q" + ++requests;
    JsonObject frame = new JsonObject().put("type", "queue.open").put("id", id).put("after", after);
    if (epoch > 0) {
      frame.put("epoch", epoch);
    }
    opening = new Ask(id, after, now);
    say.accept(frame);
  }

  private void keep() {
    long upTo = unreadable.isEmpty() ? came : Math.min(came, unreadable.first() - 1);
    if (upTo > kept) {
      kept = upTo;
      world.history().add(t -> new Entry.QueueKept(t, registration, epoch, upTo));
    }
  }

  private Ask ask(String kind, long number, long now, Consumer<JsonObject> say) {
    String id = "q" + ++requests;
    world.history().add(t -> new Entry.QueueAsked(t, registration, epoch, kind, number));
    JsonObject frame = new JsonObject().put("type", kind).put("id", id).put("queue_seq", number);
    if (kind.equals(Entry.REJECT)) {
      frame.put("reason", "no_session");
    }
    say.accept(frame);
    return new Ask(id, number, now);
  }

  /// What was not kept is forgotten.
  void cut() {
    opened = false;
    opening = null;
    ack = null;
    reject = null;
    came = 0;
  }

  /// Takes in an answer; false when it answers nothing of ours.
  boolean answered(JsonObject answer) {
    if (opening != null && opening.isAnswered(answer)) {
      Ask asked = opening;
      opening = null;
      if (isRefusal(answer)) {
        nextOpening = world.millis() + PAUSE_MS;
      } else {
        opened(answer, asked.number());
      }
      return true;
    }
    if (ack != null && ack.isAnswered(answer)) {
      long number = ack.number();
      ack = null;
      if (!isRefusal(answer)) {
        acked = number;
        moved(Entry.ACK, number);
      }
      return true;
    }
    if (reject != null && reject.isAnswered(answer)) {
      long number = reject.number();
      reject = null;
      if (!isRefusal(answer)) {
        unreadable.remove(number);
        moved(Entry.REJECT, number);
      }
      return true;
    }
    return answer.getString("re", "").startsWith("q"); // given up, and asked once more
  }

  private boolean isRefusal(JsonObject answer) {
    boolean refused = answer.getString("type").equals("error");
    if (refused && !stopped && !answer.getBoolean("retryable", false)) {
      world.anomalies().add(device + " was refused: " + answer.encode());
    }
    return refused;
  }

  private void moved(String kind, long number) {
    world.history().add(t -> new Entry.QueueMoved(t, registration, epoch, kind, number));
  }

  private void opened(JsonObject answer, long after) {
    long first = answer.getLong("first");
    long last = answer.getLong("last");
    boolean reset = answer.getBoolean("reset", false);
    epoch = answer.getLong("epoch");
    came = reset ? first - 1 : after;
    acked = Math.max(acked, first - 1);
    opened = true;
    world
        .history()
        .add(t -> new Entry.QueueOpened(t, device, registration, epoch, after, first, last, reset));
  }

  /// Takes in a frame; false when it is not of the queue.
  boolean received(JsonObject frame) {
    switch (frame.getString("type")) {
      case "envelope.receive" -> envelope(frame);
      case "queue.empty", "keys.low" -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  private void envelope(JsonObject frame) {
    long number = frame.getLong("queue_seq");
    String body = frame.getString("body");
    String payload = frame.getString("payload");
    world
        .history()
        .add(
            t ->
                new Entry.EnvelopeCame(
                    t,
                    registration,
                    frame.getLong("epoch"),
                    number,
                    frame.getString("room_id", ""),
                    frame.getLong("seq", 0L),
                    frame.getString("sender_id", ""),
                    frame.getString("client_id", ""),
                    body == null ? "" : MadeUpSuite.brings(body, registration),
                    payload == null ? "" : BodyText.hash(payload)));
    came = number;
    if (frame.getBoolean("gone", false)) {
      unreadable.remove(number);
    } else if (number > kept && world.accepting().get() && random.nextDouble() < REJECTED) {
      unreadable.add(number);
    }
  }
}
