package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalMarks.Known;
import io.confab.ledger.FinalMarks.Marker;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalMarks.Receipt;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// How far one device says that it has received and read its rooms, now and then, and what it was
/// told of that and of others. What it knows of a room ends with the membership. Belongs to the
/// device's context.
final class Markers {
  private static final double PER_SECOND = 0.1;
  private static final long PATIENCE_MS = 6_000;
  private static final int FURTHEST_BACK = 20;
  private static final String READ = "read";
  private static final String DELIVERED = "delivered";
  private static final String MARK_UNREAD = "mark_unread";
  private static final Set<String> NOT_ALLOWED = Set.of("not_found", "forbidden", "conflict");

  private final String device;
  private final String account;
  private final RunContext world;
  private final boolean comesAndGoes;
  private final RandomGenerator random;
  private final Map<String, Told> told = new HashMap<>();
  private final Map<String, Move> open = new HashMap<>();
  private final Map<String, Move> tries = new HashMap<>();
  private long requests;

  /// What is known of a room.
  private static final class Told {
    long newest;
    Receipt receipt = Receipt.NONE;
    @Nullable Marker marker;
  }

  /// Something that is said of a room until it is stored.
  private static final class Move {
    final String kind;
    final String room;
    final long seq;
    @Nullable String request;
    long triedAt;
    long nextTry;

    Move(String kind, String room, long seq) {
      this.kind = kind;
      this.room = room;
      this.seq = seq;
    }
  }

  /// @param comesAndGoes whether the account may lose rooms
  Markers(
      String device,
      String account,
      RunContext world,
      boolean comesAndGoes,
      RandomGenerator random) {
    this.device = device;
    this.account = account;
    this.world = world;
    this.comesAndGoes = comesAndGoes;
    this.random = random;
  }

  int open() {
    return open.size();
  }

  /// What it knows of these rooms.
  List<Known> known(List<String> rooms) {
    return rooms.stream().map(this::known).toList();
  }

  private Known known(String room) {
    Told known = told.getOrDefault(room, new Told());
    return new Known(device, new Place(account, room), known.receipt, known.marker);
  }

  /// Goes on: says something of one of these rooms now and then, and again what was not answered.
  void tick(long elapsedMs, List<String> rooms, Consumer<JsonObject> say) {
    if (world.accepting().get()
        && !rooms.isEmpty()
        && random.nextDouble() < PER_SECOND * elapsedMs / 1_000) {
      think(rooms.get(random.nextInt(rooms.size())));
    }
    long now = world.millis();
    for (Move move : new ArrayList<>(open.values())) {
      if (move.request == null ? now >= move.nextTry : now - move.triedAt > PATIENCE_MS) {
        say(move, now, say);
      }
    }
  }

  /// As unread it wants to see only what it knows to be read: of anything else it could not tell
  /// where the marker is then.
  private void think(String room) {
    Told known = told.get(room);
    if (known == null || known.newest == 0 || open.containsKey(room)) {
      return;
    }
    Marker marker = known.marker;
    int chance = random.nextInt(10);
    if (chance == 0 && marker != null && marker.read() > 0) {
      long back = random.nextLong(Math.min(FURTHEST_BACK, marker.read()));
      open.put(room, new Move(MARK_UNREAD, room, marker.read() - back));
    } else {
      open.put(room, new Move(chance < 4 ? DELIVERED : READ, room, known.newest));
    }
  }

  private void say(Move move, long now, Consumer<JsonObject> say) {
    if (move.request != null) {
      tries.remove(move.request);
    }
    String id = "m" + ++requests;
    move.request = id;
    move.triedAt = now;
    tries.put(id, move);
    world.history().add(t -> new Entry.MarkerAsked(t, device, move.room, move.kind, move.seq));
    say.accept(
        new JsonObject()
            .put("id", id)
            .put("type", move.kind)
            .put("room_id", move.room)
            .put("seq", move.seq));
  }

  /// What was under way on a connection that is gone is forgotten: the next one tells how all
  /// markers stand.
  void cut() {
    open.clear();
    tries.clear();
  }

  /// Takes in an answer; false when it answers nothing of ours. What is answered too late changes
  /// nothing.
  boolean answered(JsonObject answer) {
    String re = answer.getString("re", "");
    Move move = tries.remove(re);
    if (move != null) {
      move.request = null;
      if (answer.getString("type").equals("ok")) {
        open.remove(move.room);
        moved(move);
      } else {
        refused(move, answer);
      }
    }
    return re.startsWith("m");
  }

  private void moved(Move move) {
    world.history().add(t -> new Entry.MarkerMoved(t, device, move.room, move.kind, move.seq));
    Told known = told.get(move.room);
    Marker marker = known == null ? null : known.marker;
    if (known == null || marker == null) {
      return;
    }
    known.marker =
        switch (move.kind) {
          case READ ->
              new Marker(
                  Math.max(marker.read(), move.seq),
                  marker.received(),
                  move.seq >= marker.unreadFrom() ? 0 : marker.unreadFrom());
          case DELIVERED ->
              new Marker(marker.read(), Math.max(marker.received(), move.seq), marker.unreadFrom());
          default -> new Marker(marker.read(), marker.received(), move.seq);
        };
  }

  private void refused(Move move, JsonObject error) {
    if (error.getBoolean("retryable", false)) {
      move.nextTry =
          world.millis() + Math.max(200, error.getLong("retry_after_ms", 0L)) + random.nextInt(300);
      return;
    }
    open.remove(move.room);
    if (!comesAndGoes || !NOT_ALLOWED.contains(error.getString("code"))) {
      world.anomalies().add(device + " was refused for good: " + error.encode());
    }
  }

  /// Takes in a frame; false when it is not of markers alone.
  boolean received(JsonObject frame) {
    switch (frame.getString("type")) {
      case "marker" -> {
        if (frame.getString("account_id").equals(account)) {
          told(frame);
        }
        return true;
      }
      case "message.ack" -> {
        receipt(frame);
        return true;
      }
      case "message.receive" -> {
        Told known = of(frame.getString("room_id"));
        known.newest = Math.max(known.newest, frame.getLong("seq"));
      }
      case "room.event" -> joined(frame);
      case "room.added" -> forget(frame.getJsonObject("room").getString("room_id"));
      case "room.removed" -> forget(frame.getString("room_id"));
      default -> {}
    }
    return false;
  }

  /// A room that is gone may be there again with the next connection, without another word.
  void resumed(JsonObject resumed) {
    for (JsonObject room : Views.objects(resumed.getJsonArray("rooms"))) {
      if (room.getBoolean("gone", false)) {
        forget(room.getString("room_id"));
      }
    }
  }

  /// A replay shows where the present membership began.
  private void joined(JsonObject event) {
    if (event.getString("kind").equals("member.joined")
        && account.equals(event.getString("account_id"))) {
      forget(event.getString("room_id"));
    }
  }

  private void forget(String room) {
    told.remove(room);
    open.remove(room);
    world.history().add(t -> new Entry.MarksEnded(t, device, room));
  }

  private Told of(String room) {
    return told.computeIfAbsent(room, _ -> new Told());
  }

  private void told(JsonObject frame) {
    String room = frame.getString("room_id");
    long read = frame.getLong("read_seq");
    long delivered = frame.getLong("delivered_seq");
    long unreadFrom = frame.getLong("unread_from", 0L);
    world.history().add(t -> new Entry.MarkerTold(t, device, room, read, delivered, unreadFrom));
    Told known = of(room);
    Marker before = known.marker == null ? new Marker(0, 0, 0) : known.marker;
    known.marker =
        new Marker(
            Math.max(before.read(), read), Math.max(before.received(), delivered), unreadFrom);
  }

  private void receipt(JsonObject frame) {
    String status = frame.getString("status");
    if (!status.equals(READ) && !status.equals(DELIVERED)) {
      return; // of a send that is not waited for any more
    }
    String room = frame.getString("room_id");
    long seq = frame.getLong("seq");
    world.history().add(t -> new Entry.ReceiptTold(t, device, room, status, seq));
    Told known = of(room);
    known.receipt =
        new Receipt(
            status.equals(READ) ? Math.max(known.receipt.read(), seq) : known.receipt.read(),
            Math.max(known.receipt.received(), seq));
  }
}
