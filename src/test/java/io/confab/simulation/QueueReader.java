package io.confab.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.simulation.ModelQueues.Payload;
import io.confab.simulation.ModelQueues.Queue;
import io.confab.simulation.QueueJournal.Place;
import io.confab.simulation.QueueJournal.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a device does with its queue: it opens it, keeps what comes, drops what it has, and
/// acknowledges what it has kept, over its socket or over HTTP. All that comes is held against what
/// was committed.
final class QueueReader {
  private static final String OPEN = "queue-open";
  private static final String ACK = "queue-ack ";

  private final SimWorld world;
  private final SimClient client;
  private final Dice dice;

  /// Where keys of senders came, by sender, room and generation.
  private final Map<String, Long> keys = new HashMap<>();

  private @Nullable Epoch epoch;

  /// What it has taken in, and what of it would survive its end.
  private long kept;

  private long onDisk;
  private boolean missesKeys;

  // What follows is of one session.
  private @Nullable Opened opened;
  private long position;
  private long acknowledged;
  private boolean sleeps;
  private boolean ticking;
  private boolean asking;

  /// @param after where its client said that it goes on
  private record Opened(Epoch epoch, @Nullable RegistrationId registration, long after) {}

  QueueReader(SimWorld world, SimClient client) {
    this.world = world;
    this.client = client;
    this.dice = world.dice();
  }

  private QueueJournal journal() {
    return world.journal();
  }

  @Nullable Epoch epoch() {
    return opened == null ? null : opened.epoch();
  }

  boolean isOpen() {
    return opened != null;
  }

  /// Whether it has all that there is, and has said so.
  boolean isAtRest() {
    Opened now = opened;
    RegistrationId id = world.database().queues().registration(client.caller());
    Queue queue = id == null ? null : world.database().queues().queue(id);
    return now != null
        && queue != null
        && id != null
        && id.equals(now.registration())
        && now.epoch().equals(world.database().epoch())
        && kept == queue.last
        && queue.gone == queue.last;
  }

  @Override
  public String toString() {
    return opened + ", has " + kept + ", said " + acknowledged;
  }

  /// Acknowledges nothing for a while.
  void sleep(long nanos) {
    sleeps = true;
    world.scheduler().after(nanos, () -> sleeps = false);
  }

  void awake() {
    sleeps = false;
  }

  void disconnected() {
    opened = null;
    asking = false;
  }

  /// What it had not stored is gone.
  void restarted() {
    disconnected();
    kept = onDisk;
    keys.values().removeIf(seq -> seq > onDisk);
  }

  /// Its device has new keys, and with them another queue.
  void registered() {
    epoch = null;
    kept = 0;
    onDisk = 0;
    keys.clear();
    missesKeys = false;
  }

  void open() {
    ObjectNode frame = JsonNodeFactory.instance.objectNode();
    frame.put("type", "queue.open").put("id", OPEN).put("after", kept);
    if (epoch != null) {
      frame.put("epoch", epoch.value());
    }
    client.write(frame);
    asking = true;
  }

  /// Whether the frame is about the queue.
  boolean takes(JsonNode frame) {
    String re = frame.path("re").asText();
    switch (frame.path("type").asText()) {
      case "queue.opened" -> opened(frame);
      case "envelope.receive" -> received(frame);
      case "queue.empty" -> {}
      case "ok" -> {
        return re.startsWith(ACK) && acknowledged(re.split(" ", 4));
      }
      case "error" -> {
        if (re.equals(OPEN)) {
          notOpened(frame.path("code").asText());
        } else if (re.startsWith(ACK)) {
          notAcknowledged(re, frame.path("code").asText());
        } else {
          return false;
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void opened(JsonNode frame) {
    Epoch now = new Epoch(frame.path("epoch").asLong());
    boolean resets = frame.path("reset").asBoolean();
    if (!resets && epoch != null && !epoch.equals(now)) {
      journal().violated("QUEUE_EPOCH", client.name() + " goes on in " + now + " from " + epoch);
    }
    long after = resets ? frame.path("first").asLong() - 1 : kept;
    if (resets) {
      kept = after;
      onDisk = after;
      missesKeys |= after > 0 || epoch != null;
    }
    epoch = now;
    opened = new Opened(now, world.database().queues().registration(client.caller()), after);
    position = after;
    acknowledged = Math.min(acknowledged, after);
    asking = false;
    tick();
    client.sealing().opened(now);
  }

  private void notOpened(String code) {
    asking = false;
    client.later(
        dice.millis(100, 500),
        () -> {
          if (opened == null && !asking) {
            if (code.equals("conflict")) {
              client.register();
            }
            open();
          }
        });
  }

  private void received(JsonNode frame) {
    Opened session = opened;
    long seq = frame.path("queue_seq").asLong();
    String what = client.name() + " got " + seq;
    if (session == null) {
      journal().violated("QUEUE_OPEN", what + " of a queue that is not open");
      return;
    }
    if (frame.path("epoch").asLong() != session.epoch().value()) {
      journal().violated("QUEUE_EPOCH", what + " of another epoch than " + session);
    }
    if (seq <= position || (seq > position + 1 && seq > kept + 1)) {
      journal().violated("QUEUE_ORDER", what + " after " + position + ", and has " + kept);
    }
    position = Math.max(position, seq);
    check(session, frame, seq);
    if (seq > kept) {
      keep(frame, seq);
    }
  }

  private void check(Opened session, JsonNode frame, long seq) {
    RegistrationId id = session.registration();
    if (id == null) {
      return;
    }
    Queue queue = world.database().queues().queue(id);
    boolean isCurrent = session.epoch().equals(world.database().epoch());
    long most = world.config().queues().unacknowledged();
    if (isCurrent && queue != null && seq - Math.max(queue.gone, session.after()) > most) {
      journal().violated("QUEUE_BOUND", client.name() + " has " + seq + " on its way");
    }
    Place place = new Place(session.epoch(), id, seq);
    Written there = journal().at(place);
    if (there == null) {
      journal().violated("QUEUE_TRUTH", client.name() + " got " + frame + ", never stored");
    } else if (frame.path("gone").asBoolean()) {
      if (!journal().mayBeEmpty(place)) {
        journal().violated("QUEUE_TRUTH", client.name() + " got nothing of " + place);
      }
    } else if (!isSame(frame, there)) {
      journal().violated("QUEUE_TRUTH", client.name() + " got " + frame + " of " + there);
    }
  }

  private static boolean isSame(JsonNode frame, Written there) {
    Payload payload = there.payload();
    RoomId room = payload.room();
    return payload.clientId().equals(new ClientId(frame.path("client_id").asText()))
        && payload.sender().device().value().equals(frame.path("sender_device_id").asText())
        && frame.path("seq").asLong() == payload.seq()
        && frame.path("room_id").asText().equals(room == null ? "" : room.toString())
        && frame.path("payload").asText().equals(Objects.requireNonNullElse(payload.content(), ""))
        && frame.path("body").asText().equals(Objects.requireNonNullElse(there.body(), ""));
  }

  private void keep(JsonNode frame, long seq) {
    kept = seq;
    int mine = client.run();
    world
        .scheduler()
        .after(
            dice.millis(0, 30),
            () -> {
              if (mine == client.run() && kept >= seq) {
                onDisk = Math.max(onDisk, seq);
              }
            });
    missesKeys |= frame.path("gone").asBoolean();
    String sender = frame.path("sender_device_id").asText() + " " + frame.path("room_id").asText();
    if (frame.has("body")) {
      keys.putIfAbsent(sender + " " + frame.path("body").asText(), seq);
    }
    String payload = frame.path("payload").asText();
    String key = payload.substring(0, Math.max(0, payload.indexOf(' ')));
    if (!key.isEmpty()
        && !missesKeys
        && isOfThisEpoch(key)
        && !keys.containsKey(sender + " " + key)) {
      journal().violated("KEY_FIRST", client.name() + " cannot read " + frame);
    }
  }

  /// What brought a key of a former epoch may be lost with it, while what needs it is on its way.
  private boolean isOfThisEpoch(String key) {
    String made = key.substring(key.indexOf(SealedSender.KEY_OF_EPOCH) + 1);
    return epoch != null && made.equals(String.valueOf(epoch.value()));
  }

  private void tick() {
    if (!ticking) {
      ticking = true;
      world
          .scheduler()
          .after(
              dice.millis(30, 400),
              () -> {
                ticking = false;
                if (opened != null) {
                  acknowledge(opened);
                  tick();
                }
              });
    }
  }

  /// Names what is on the disk, unless that was said.
  private void acknowledge(Opened session) {
    RegistrationId id = session.registration();
    long upTo = dice.chance(0.2) ? Math.max(acknowledged + 1, onDisk - 1) : onDisk;
    if (sleeps || onDisk <= acknowledged || upTo > onDisk || id == null) {
      return;
    }
    if (dice.chance(0.25)) {
      overHttp(session, id, upTo);
    } else {
      ObjectNode frame = JsonNodeFactory.instance.objectNode();
      frame.put("type", "queue.ack").put("queue_seq", upTo);
      client.write(frame.put("id", ACK + upTo + " " + session.epoch() + " " + id));
    }
  }

  private void overHttp(Opened session, RegistrationId id, long upTo) {
    client
        .ask(new AckQueue(client.caller().account(), id, new QueueSeq(upTo), session.epoch()))
        .onSuccess(
            now -> {
              if (now.gone().value() < upTo) {
                journal().violated("ACK_STORED", client.name() + " of " + upTo + " got " + now);
              }
              stored(session.epoch(), id, upTo);
            });
  }

  private boolean acknowledged(String[] said) {
    stored(
        new Epoch(Long.parseLong(said[2])),
        new RegistrationId(Long.parseLong(said[3])),
        Long.parseLong(said[1]));
    return true;
  }

  /// A node said that it is stored: then it is.
  private void stored(Epoch under, RegistrationId id, long upTo) {
    Queue queue = world.database().queues().queue(id);
    if (under.equals(world.database().epoch()) && queue != null && queue.gone < upTo) {
      journal().violated("ACK_STORED", client.name() + " was told " + upTo + ", not " + queue.gone);
    }
    if (opened != null && opened.epoch().equals(under) && id.equals(opened.registration())) {
      acknowledged = Math.max(acknowledged, upTo);
    }
  }

  private void notAcknowledged(String what, String code) {
    if (code.equals("invalid_field")) {
      journal().violated("ACK_STORED", client.name() + " may not say " + what);
    }
  }
}
