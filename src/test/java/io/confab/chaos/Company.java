package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalPresence.Counted;
import io.confab.ledger.FinalPresence.Known;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Whom one device watches, what it says of itself and what it is told of both, on each connection
/// anew: it is online or away, and types now and then. Belongs to the device's context.
final class Company {
  private static final int WATCHED = 8;
  private static final double CHANGES_PER_SECOND = 0.05;
  private static final double TYPES_PER_SECOND = 0.2;
  private static final long PATIENCE_MS = 6_000;
  private static final long PAUSE_MS = 500;
  private static final long UNTOLD = -1;
  private static final String ONLINE = "online";
  private static final String AWAY = "away";
  private static final Set<String> OF_TYPING = Set.of("type", "room_id", "account_id", "until");
  private static final Set<String> NOT_ALLOWED =
      Set.of("not_found", "forbidden", "conflict", "muted");

  private final String device;
  private final String account;
  private final RunContext world;
  private final boolean comesAndGoes;
  private final RandomGenerator random;
  private final List<String> watched = new ArrayList<>();
  private List<String> watchedRooms = List.of();
  private final Map<String, String> told = new HashMap<>();
  private final Map<String, Long> online = new HashMap<>();
  private final Ask watch = new Ask();
  private final Ask status = new Ask();
  private String wanted = ONLINE;
  private long requests;

  /// Something that is said on each connection until it is answered.
  private static final class Ask {
    String request = "";
    long triedAt;
    long nextTry;
    boolean done;

    void lost(boolean already) {
      request = "";
      nextTry = 0;
      done = already;
    }

    boolean isDue(long now) {
      return !done && (request.isEmpty() ? now >= nextTry : now - triedAt > PATIENCE_MS);
    }
  }

  /// @param comesAndGoes whether the account may lose rooms
  Company(
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
    status.done = true;
  }

  /// What is said and not answered yet.
  int open() {
    return (watch.done ? 0 : 1) + (status.done ? 0 : 1);
  }

  /// What the session says it is.
  String status() {
    return wanted;
  }

  List<Known> known() {
    return watched.stream()
        .map(who -> new Known(device, account, who, told.getOrDefault(who, "untold")))
        .toList();
  }

  List<Counted> counted() {
    return watchedRooms.stream()
        .map(room -> new Counted(device, room, online.getOrDefault(room, UNTOLD)))
        .toList();
  }

  /// Goes on, in these rooms.
  void tick(long elapsedMs, List<String> rooms, Consumer<JsonObject> say) {
    long now = world.millis();
    if (watch.isDue(now)) {
      say.accept(ask(watch, now).mergeIn(watch(rooms)));
    }
    if (world.accepting().get()) {
      if (random.nextDouble() < CHANGES_PER_SECOND * elapsedMs / 1_000) {
        wanted = wanted.equals(ONLINE) ? AWAY : ONLINE;
        status.lost(false);
      }
      if (!rooms.isEmpty() && random.nextDouble() < TYPES_PER_SECOND * elapsedMs / 1_000) {
        say.accept(type(rooms.get(random.nextInt(rooms.size()))));
      }
    }
    if (status.isDue(now)) {
      say.accept(ask(status, now).put("type", "presence.set").put("status", wanted));
    }
  }

  private JsonObject ask(Ask ask, long now) {
    ask.request = id();
    ask.triedAt = now;
    return new JsonObject().put("id", ask.request);
  }

  private String id() {
    return "p" + ++requests;
  }

  private JsonObject watch(List<String> rooms) {
    if (watched.isEmpty()) {
      List<String> all = new ArrayList<>(world.people());
      while (watched.size() < WATCHED && !all.isEmpty()) {
        watched.add(all.remove(random.nextInt(all.size())));
      }
    }
    watchedRooms = rooms.stream().limit(comesAndGoes ? 0 : 1).toList();
    return new JsonObject()
        .put("type", "presence.watch")
        .put("accounts", new JsonArray(watched))
        .put("rooms", new JsonArray(watchedRooms));
  }

  private JsonObject type(String room) {
    boolean stops = random.nextInt(4) == 0;
    if (!stops) {
      world.history().add(t -> new Entry.TypingSaid(t, device, account, room));
    }
    return new JsonObject()
        .put("id", id())
        .put("type", stops ? "typing.stop" : "typing")
        .put("room_id", room);
  }

  /// The connection is gone: the next one begins online, and watches nobody.
  void cut() {
    watch.lost(false);
    status.lost(wanted.equals(ONLINE));
    told.clear();
    online.clear();
  }

  /// Takes in an answer; false when it answers nothing of ours.
  boolean answered(JsonObject answer) {
    String re = answer.getString("re", "");
    if (re.equals(watch.request) && !re.isEmpty()) {
      settle(watch, answer);
    } else if (re.equals(status.request) && !re.isEmpty()) {
      settle(status, answer);
    } else if (re.startsWith("p") && answer.getString("type").equals("error")) {
      refused(answer);
    }
    return re.startsWith("p");
  }

  private void settle(Ask ask, JsonObject answer) {
    ask.request = "";
    if (answer.getString("type").equals("error")) {
      ask.nextTry =
          world.millis()
              + Math.max(PAUSE_MS, answer.getLong("retry_after_ms", 0L))
              + random.nextInt((int) PAUSE_MS);
      refused(answer);
      return;
    }
    ask.done = true;
    if (answer.getString("type").equals("presence.state")) {
      told.clear();
      online.clear();
      Views.objects(answer.getJsonArray("accounts")).forEach(this::person);
      Views.objects(answer.getJsonArray("rooms")).forEach(this::count);
    }
  }

  private void refused(JsonObject error) {
    if (!error.getBoolean("retryable", false)
        && !(comesAndGoes && NOT_ALLOWED.contains(error.getString("code")))) {
      world.anomalies().add(device + " was refused for good: " + error.encode());
    }
  }

  /// Takes in a frame; false when it is of something else.
  boolean received(JsonObject frame) {
    switch (frame.getString("type")) {
      case "presence" -> person(frame);
      case "presence.count" -> count(frame);
      case "typing" -> typing(frame);
      case "typing.stop" -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  private void person(JsonObject presence) {
    told.put(presence.getString("account_id"), presence.getString("status"));
  }

  private void count(JsonObject count) {
    online.put(count.getString("room_id"), count.getLong("online"));
  }

  private void typing(JsonObject frame) {
    if (!frame.fieldNames().equals(OF_TYPING)) {
      world.anomalies().add(device + " was told of typing by " + frame.encode());
    }
    long left = frame.getLong("until") - System.currentTimeMillis();
    world
        .history()
        .add(
            t ->
                new Entry.TypingTold(
                    t,
                    device,
                    account,
                    frame.getString("room_id"),
                    frame.getString("account_id"),
                    left));
  }
}
