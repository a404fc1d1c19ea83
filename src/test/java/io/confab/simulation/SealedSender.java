package io.confab.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.message.WriteCommand;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.Epoch;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a device does to say something in sealed rooms: it names the devices that it knows, gives
/// those its key that have it not, and repeats the same until it is stored or refused for other
/// devices. What brings keys goes alone.
final class SealedSender {
  static final String KEY_OF_EPOCH = "-";

  private static final String SEND = "send ";

  private final SimWorld world;
  private final SimClient client;
  private final Dice dice;
  private final Map<RoomId, Lane> lanes = new LinkedHashMap<>();
  private final List<Line> all = new ArrayList<>();
  private @Nullable Epoch epoch;
  private boolean open;
  private int session;
  private int said;

  /// What one room knows and waits for.
  private static final class Lane {
    private final RoomId room;
    private final Deque<Line> waiting = new ArrayDeque<>();
    private final Map<String, Line> onTheWay = new LinkedHashMap<>();
    private Map<RegistrationId, Caller> devices = new LinkedHashMap<>();
    private final Set<RegistrationId> holders = new HashSet<>();
    private int generation = 1;

    Lane(RoomId room) {
      this.room = room;
    }

    /// All who have its key may have lost it, or must not have the next one.
    void renew() {
      generation++;
      holders.clear();
    }
  }

  /// One send.
  private static final class Line {
    private final String id;
    private final boolean silent;
    private @Nullable ObjectNode frame;
    private Set<RegistrationId> keysFor = Set.of();
    private int generation;
    private int tries;
    private int session;
    private long seq;

    Line(String id, boolean silent) {
      this.id = id;
      this.silent = silent;
    }
  }

  SealedSender(SimWorld world, SimClient client) {
    this.world = world;
    this.client = client;
    this.dice = world.dice();
  }

  boolean isAtRest() {
    return lanes.values().stream().allMatch(l -> l.waiting.isEmpty() && l.onTheWay.isEmpty());
  }

  void send(RoomId room, int count) {
    Lane lane = lanes.computeIfAbsent(room, Lane::new);
    for (int i = 0; i < count; i++) {
      Line line = new Line(client.name() + "-sealed-" + ++said, dice.chance(0.15));
      all.add(line);
      lane.waiting.add(line);
    }
    goOn(lane);
  }

  /// Something for some devices without a room, over HTTP, once.
  void sendLoose(RoomId knownBy) {
    Lane lane = lanes.get(knownBy);
    if (lane == null) {
      return;
    }
    List<KeyBody> bodies = new ArrayList<>();
    lane.devices.forEach(
        (id, device) -> {
          if (!device.equals(client.caller()) && dice.chance(0.6)) {
            bodies.add(new KeyBody(device.account(), device.device(), id, "letter"));
          }
        });
    if (!bodies.isEmpty()) {
      ClientId id = new ClientId(client.name() + "-letter-" + ++said);
      client.ask(
          new WriteCommand.Put(
              new EnvelopeDraft(null, client.caller(), id, null, true, null, null, bodies)));
    }
  }

  void disconnected() {
    open = false;
  }

  /// What was on its way is forgotten with the program.
  void restarted() {
    open = false;
    lanes.values().forEach(SealedSender::forget);
  }

  private static void forget(Lane lane) {
    lane.waiting.clear();
    lane.onTheWay.clear();
    lane.renew(); // what brought the key may never have been stored
  }

  /// It may send now: first what is on its way, once more.
  void opened(Epoch now) {
    open = true;
    session++;
    if (epoch != null && !epoch.equals(now)) {
      lanes.values().forEach(Lane::renew);
    }
    epoch = now;
    for (Lane lane : lanes.values()) {
      List.copyOf(lane.onTheWay.values()).forEach(this::write);
      goOn(lane);
    }
  }

  private void goOn(Lane lane) {
    while (open && !lane.waiting.isEmpty()) {
      Line next = lane.waiting.element();
      boolean alone = lane.onTheWay.values().stream().anyMatch(line -> !line.keysFor.isEmpty());
      Set<RegistrationId> keysFor = new LinkedHashSet<>(others(lane));
      keysFor.removeAll(lane.holders);
      if (alone || (!keysFor.isEmpty() && !lane.onTheWay.isEmpty())) {
        return;
      }
      next.keysFor = keysFor;
      next.generation = lane.generation;
      next.frame = frame(lane, next);
      lane.onTheWay.put(next.id, lane.waiting.remove());
      write(next);
    }
  }

  private List<RegistrationId> others(Lane lane) {
    return lane.devices.entrySet().stream()
        .filter(e -> !e.getValue().equals(client.caller()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private ObjectNode frame(Lane lane, Line line) {
    ObjectNode frame = JsonNodeFactory.instance.objectNode();
    frame.put("type", "envelope.send").put("id", SEND + line.id);
    frame.put("room_id", lane.room.toString()).put("client_id", line.id);
    frame.put("devices", ModelEnvelopes.digest(lane.devices.keySet()));
    frame.put("payload", key(lane) + " " + line.id);
    if (line.silent) {
      frame.put("silent", true);
    }
    if (!line.keysFor.isEmpty()) {
      ArrayNode bodies = frame.putArray("envelopes");
      lane.devices.forEach(
          (id, device) -> {
            if (line.keysFor.contains(id)) {
              ObjectNode body = bodies.addObject();
              body.put("account_id", device.account().toString());
              body.put("device_id", device.device().value());
              body.put("registration_id", id.value());
              body.put("body", key(lane));
            }
          });
    }
    return frame;
  }

  /// Says with it under which epoch it was made.
  private String key(Lane lane) {
    return "key" + lane.generation + KEY_OF_EPOCH + (epoch == null ? 0 : epoch.value());
  }

  private void write(Line line) {
    if (line.frame != null) {
      line.tries++;
      line.session = session;
      client.write(line.frame.deepCopy());
    }
  }

  /// Whether the frame is about something that it sent.
  boolean takes(JsonNode frame) {
    String type = frame.path("type").asText();
    if (type.equals("envelope.ack")) {
      lanes.values().forEach(lane -> acknowledged(lane, frame));
      return true;
    }
    if (type.equals("error") && frame.path("re").asText().startsWith(SEND)) {
      lanes.values().forEach(lane -> refused(lane, frame));
      return true;
    }
    return false;
  }

  private void acknowledged(Lane lane, JsonNode frame) {
    String id = frame.path("client_id").asText();
    Line line = lane.onTheWay.remove(id);
    if (line == null) {
      return;
    }
    long seq = frame.path("seq").asLong();
    if (!world
        .journal()
        .isStored(client.account(), new ClientId(id), seq, world.database().epoch())) {
      world.journal().violated("SEALED_STORED", client.name() + " was told " + frame);
    }
    if (line.tries == 1 && !line.silent) {
      line.seq = seq;
    }
    // Of a duplicate nobody says whose queues were full; and what was made before the key was
    // renewed, as under a former epoch, brought the former key.
    if (!frame.path("duplicate").asBoolean() && line.generation == lane.generation) {
      lane.holders.addAll(line.keysFor);
      frame.path("full").forEach(full -> lane.holders.removeIf(h -> isOf(lane, h, full)));
    }
    goOn(lane);
  }

  private static boolean isOf(Lane lane, RegistrationId holder, JsonNode device) {
    return device(device).equals(lane.devices.get(holder));
  }

  private static Caller device(JsonNode device) {
    return new Caller(
        AccountId.parse(device.path("account_id").asText()),
        new DeviceId(device.path("device_id").asText()));
  }

  private void refused(Lane lane, JsonNode frame) {
    Line line = lane.onTheWay.get(frame.path("re").asText().substring(SEND.length()));
    if (line == null) {
      return;
    }
    switch (frame.path("code").asText()) {
      case "device_mismatch" -> {
        learn(lane, frame.path("devices"));
        again(lane, line);
      }
      case "not_found" -> {
        lane.onTheWay.remove(line.id);
        lane.renew();
      }
      case "unavailable", "conflict", "rate_limited" -> later(line);
      default -> {
        lane.onTheWay.remove(line.id);
        world.journal().violated("SEALED_REFUSED", client.name() + " was told " + frame);
      }
    }
    goOn(lane);
  }

  private void learn(Lane lane, JsonNode devices) {
    Map<RegistrationId, Caller> now = new LinkedHashMap<>();
    devices.forEach(
        device ->
            now.put(new RegistrationId(device.path("registration_id").asLong()), device(device)));
    if (!now.keySet().containsAll(lane.devices.keySet())) {
      lane.renew(); // whoever has gone must not read on
    }
    lane.devices = now;
  }

  /// It is made anew, in its order among those that wait.
  private static void again(Lane lane, Line line) {
    lane.onTheWay.remove(line.id);
    line.keysFor = Set.of();
    line.frame = null;
    List<Line> waiting = new ArrayList<>(lane.waiting);
    waiting.add(line);
    waiting.sort((a, b) -> Integer.compare(number(a), number(b)));
    lane.waiting.clear();
    lane.waiting.addAll(waiting);
  }

  private static int number(Line line) {
    return Integer.parseInt(line.id.substring(line.id.lastIndexOf('-') + 1));
  }

  private void later(Line line) {
    int mine = session;
    client.later(
        dice.millis(100, 600),
        () -> {
          if (open && mine == session) {
            write(line);
          }
        });
  }

  /// Sends of one session to one room that were stored at the first try keep their order.
  List<String> disorder() {
    List<String> found = new ArrayList<>();
    Map<String, Long> last = new LinkedHashMap<>();
    for (Line line : all) {
      if (line.seq > 0 && line.frame != null) {
        String room = line.frame.path("room_id").asText() + " in " + line.session;
        long before = last.getOrDefault(room, 0L);
        last.put(room, line.seq);
        if (before > line.seq) {
          found.add(line.id + " got " + line.seq + " after " + before + " of " + room);
        }
      }
    }
    return found;
  }
}
