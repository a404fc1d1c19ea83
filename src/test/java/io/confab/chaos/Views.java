package io.confab.chaos;

import io.confab.ledger.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one device sees of its rooms. Every event goes to the history as it comes; nothing is left
/// out here that came twice or out of order. Belongs to the device's context.
final class Views {
  private final String device;
  private final String account;
  private final RunContext world;
  private final Map<String, View> open = new LinkedHashMap<>();
  private final boolean comesAndGoes;
  private int begun;

  /// How far a view is.
  private static final class View {
    final String name;
    long epoch;
    long rev;

    View(String name, long epoch, long rev) {
      this.name = name;
      this.epoch = epoch;
      this.rev = rev;
    }
  }

  /// @param comesAndGoes whether the account may be told that it is not in a room any more
  Views(String device, String account, RunContext world, boolean comesAndGoes) {
    this.comesAndGoes = comesAndGoes;
    this.device = device;
    this.account = account;
    this.world = world;
  }

  List<String> rooms() {
    return new ArrayList<>(open.keySet());
  }

  /// The last rev seen of a room; -1 without a view.
  long rev(String room) {
    View view = open.get(room);
    return view == null ? -1 : view.rev;
  }

  /// Begins views of rooms that are new, and answers the positions to resume from.
  JsonArray positions(JsonObject welcome) {
    for (JsonObject room : objects(welcome.getJsonArray("rooms"))) {
      if (!open.containsKey(room.getString("room_id"))) {
        begin(room);
      }
    }
    JsonArray points = new JsonArray();
    open.forEach(
        (room, view) ->
            points.add(
                new JsonObject()
                    .put("room_id", room)
                    .put("epoch", view.epoch)
                    .put("rev", view.rev)));
    return points;
  }

  private void begin(JsonObject room) {
    String id = room.getString("room_id");
    long epoch = room.getLong("epoch");
    long rev = room.getLong("rev");
    String name = device + "/" + id + "/" + ++begun;
    open.put(id, new View(name, epoch, rev));
    world.history().add(t -> new Entry.ViewBegan(t, name, device, account, id, epoch, rev));
  }

  private void end(String room) {
    View view = open.remove(room);
    if (view != null) {
      world.history().add(t -> new Entry.ViewEnded(t, view.name));
    }
  }

  /// Nothing more is looked at: the device is gone for good.
  void endAll() {
    rooms().forEach(this::end);
  }

  void resumed(JsonObject resumed) {
    for (JsonObject room : objects(resumed.getJsonArray("rooms"))) {
      String id = room.getString("room_id");
      if (room.getBoolean("gone", false)) {
        end(id);
        if (!comesAndGoes) {
          world.anomalies().add(device + " is told that a room is gone: " + room.encode());
        }
      } else if (!room.getBoolean("recovered")) {
        reset(id, room);
      }
    }
  }

  private void reset(String id, JsonObject room) {
    View view = open.get(id);
    if (view == null) {
      return;
    }
    if (view.epoch == room.getLong("epoch")) {
      world.resets().add(device + " at rev " + view.rev + ": " + room.encode());
    }
    view.epoch = room.getLong("epoch");
    view.rev = room.getLong("rev");
    world.history().add(t -> new Entry.ViewReset(t, view.name, id, view.epoch, view.rev));
  }

  /// Takes in a frame; false when it is not of a room.
  boolean received(JsonObject frame) {
    switch (frame.getString("type")) {
      case "message.receive" -> event(frame, Entry.MESSAGE, frame);
      case "room.event" ->
          event(
              frame,
              frame.getString("kind"),
              frame.getJsonObject(
                  "message", new JsonObject().put("seq", frame.getLong("seq", 0L))));
      case "room.gap" -> reset(frame.getString("room_id"), frame);
      case "room.added" -> {
        end(frame.getJsonObject("room").getString("room_id"));
        begin(frame.getJsonObject("room"));
      }
      case "room.removed" -> end(frame.getString("room_id"));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void event(JsonObject frame, String kind, JsonObject message) {
    String room = frame.getString("room_id");
    long epoch = frame.getLong("epoch");
    long rev = frame.getLong("rev");
    View view = open.get(room);
    String name = view == null ? device + "/" + room + "/none" : view.name;
    String body = message.getString("body");
    world
        .history()
        .add(
            t ->
                new Entry.Received(
                    t,
                    name,
                    room,
                    epoch,
                    rev,
                    kind,
                    message.getLong("seq", 0L),
                    message.getString("sender_id", ""),
                    message.getString("client_id", ""),
                    body == null ? "" : BodyText.hash(body)));
    if (view != null) {
      view.rev = rev;
    }
  }

  static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
