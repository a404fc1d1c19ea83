package io.confab.chaos;

import io.confab.chaos.SeatEvent.Kind;
import io.confab.time.Backoff;
import io.vertx.core.Context;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One account with one connection at a time, that enters some rooms, stays, leaves, closes its tab
/// and comes back; it writes down what it does and is told. Belongs to its event loop.
final class SeatVisitor {
  /// Who is not told in that time how it stands asks.
  private static final long PATIENCE_MS = 3_000;

  private static final long AGAIN_MS = 500;
  private static final Duration LONGEST_AGAIN = Duration.ofSeconds(8);
  private static final long WITHIN_MS = 30_000;

  private final SeatWorld world;
  private final int account;
  private final String token;
  private final SplittableRandom random;
  private final Backoff backoff;
  private final Context loop;
  private final Map<String, Visit> visits = new HashMap<>();
  private @Nullable ClientWebSocket socket;
  private boolean live;
  private long ids;
  private final Map<String, Asked> asked = new HashMap<>();

  private record Asked(Visit visit, boolean enters) {}

  private enum Stand {
    OUT,
    WAITING,
    INSIDE,
    LEAVING
  }

  private static final class Visit {
    private final int room;
    private Stand stand = Stand.OUT;

    /// Whether it was told so by this connection.
    private boolean told;

    private int failures;
    private long ticket = Long.MIN_VALUE;
    private @Nullable String place;

    /// Tells later timers that others have taken their place.
    private long step;

    Visit(int room) {
      this.room = room;
    }
  }

  SeatVisitor(SeatWorld world, int account, String token, int[] rooms, long seed) {
    this.world = world;
    this.account = account;
    this.token = token;
    this.random = new SplittableRandom(seed);
    this.backoff = new Backoff(Duration.ofMillis(AGAIN_MS), LONGEST_AGAIN, random);
    this.loop = world.vertx().getOrCreateContext();
    for (int room : rooms) {
      visits.put(world.room(room), new Visit(room));
    }
  }

  void start() {
    loop.runOnContext(_ -> connect());
  }

  /// Enters all its rooms at once, for the first time.
  void begin() {
    loop.runOnContext(
        _ -> {
          if (live) {
            closeTabSomeTime();
            visits.values().forEach(this::enter);
          }
        });
  }

  /// The connection ends, for good if the run is over.
  void stop() {
    loop.runOnContext(
        _ -> {
          if (socket != null) {
            socket.close();
          }
        });
  }

  private static long now() {
    return System.nanoTime();
  }

  private void after(long ms, Runnable action) {
    world
        .vertx()
        .setTimer(
            Math.max(1, ms),
            _ -> {
              if (world.isGoing()) {
                action.run();
              }
            });
  }

  private void connect() {
    WebSocketConnectOptions to =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(world.port(random))
            .setURI("/v1/socket")
            .setAllowOriginHeader(false)
            .addSubProtocol("confab.v1");
    ClientWebSocket next = world.client().webSocket();
    next.textMessageHandler(text -> heard(next, new JsonObject(text)));
    next.closeHandler(_ -> closed(next));
    next.connect(to)
        .onSuccess(
            _ -> {
              socket = next;
              say(new JsonObject().put("type", "hello").put("token", token));
            })
        .onFailure(
            _ -> {
              if (socket == null) {
                after(AGAIN_MS + random.nextLong(AGAIN_MS), this::connect);
              }
            });
  }

  private void say(JsonObject frame) {
    if (socket != null) {
      socket.writeTextMessage(frame.encode());
    }
  }

  private void closed(ClientWebSocket which) {
    if (isSame(which)) {
      cutNow();
      after(absenceOfStruck(), this::connect);
    }
  }

  /// Whoever loses its node comes to another one, or stays away.
  private long absenceOfStruck() {
    return random.nextInt(4) > 0 ? random.nextLong(AGAIN_MS) : SeatHabits.absence(random);
  }

  private void cutNow() {
    socket = null;
    asked.clear();
    if (live) {
      live = false;
      world.connected().decrementAndGet();
      world.log().add(now(), Kind.CUT, account, SeatEvent.ALL);
    }
    visits.values().forEach(visit -> visit.step++);
  }

  private void closeTab() {
    ClientWebSocket current = socket;
    if (current == null || !live) {
      return;
    }
    world.tabsClosed().increment();
    if (random.nextBoolean()) {
      current.close();
    } else {
      current.shutdown(0, TimeUnit.MILLISECONDS);
    }
    cutNow(); // what comes from now on is not heard any more
    after(SeatHabits.absence(random), this::connect);
  }

  private void heard(ClientWebSocket from, JsonObject frame) {
    if (!isSame(from)) {
      return;
    }
    String re = frame.getString("re");
    Asked request = re == null ? null : asked.remove(re);
    switch (frame.getString("type")) {
      case "welcome" ->
          say(
              new JsonObject()
                  .put("type", "resume")
                  .put("id", "resume")
                  .put("rooms", new JsonArray())
                  .put("last", true));
      case "resumed" -> live();
      case "seat.inside" -> inside(visit(frame));
      case "seat.waiting" -> waits(visit(frame), frame.getString("place"));
      case "seat.lost" -> lost(visit(frame), frame.getString("reason"));
      case "ok" -> answered(request);
      case "error" -> refused(request, frame);
      default -> {} // of the rooms' streams
    }
  }

  private Visit visit(JsonObject frame) {
    Visit visit = visits.get(frame.getString("room_id"));
    if (visit == null) {
      throw new IllegalStateException("no room of this account: " + frame);
    }
    return visit;
  }

  private void live() {
    live = true;
    world.connected().incrementAndGet();
    world.log().add(now(), Kind.BACK, account, SeatEvent.ALL);
    if (!world.isOpen()) {
      return;
    }
    closeTabSomeTime();
    for (Visit visit : visits.values()) {
      visit.told = false;
      switch (visit.stand) {
        case OUT -> step(visit, random.nextLong(AGAIN_MS), this::enter);
        case LEAVING -> step(visit, random.nextLong(AGAIN_MS), this::exit);
        case WAITING, INSIDE -> // unless it is told how it stands
            step(visit, PATIENCE_MS, this::enter);
      }
    }
  }

  private void closeTabSomeTime() {
    ClientWebSocket current = socket;
    after(
        SeatHabits.some(world.habits().connected(), random),
        () -> {
          if (isSame(current)) {
            closeTab();
          }
        });
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isSame(@Nullable ClientWebSocket than) {
    return than != null && than == socket;
  }

  private interface Step {
    void take(Visit visit);
  }

  /// The next thing to do in a room, instead of what was to be done there.
  private void step(Visit visit, long ms, Step step) {
    long number = ++visit.step;
    after(
        ms,
        () -> {
          if (visit.step == number && live) {
            step.take(visit);
          }
        });
  }

  private void enter(Visit visit) {
    JsonObject frame = request("room.enter", visit, true);
    if (visit.place != null) {
      frame.put("place", visit.place);
    }
    world.log().add(now(), Kind.ENTERING, account, visit.room);
    say(frame);
  }

  private void exit(Visit visit) {
    stand(visit, Stand.LEAVING);
    world.log().add(now(), Kind.EXITING, account, visit.room);
    say(request("room.exit", visit, false));
  }

  private JsonObject request(String type, Visit visit, boolean enters) {
    String id = Long.toString(++ids);
    asked.put(id, new Asked(visit, enters));
    step(visit, WITHIN_MS, v -> unanswered(id, v, enters));
    return new JsonObject().put("type", type).put("id", id).put("room_id", world.room(visit.room));
  }

  private void unanswered(String id, Visit visit, boolean enters) {
    if (asked.remove(id) != null) {
      world.refused("no answer");
      again(visit, enters, AGAIN_MS);
    }
  }

  private void again(Visit visit, boolean enters, long ms) {
    step(visit, ms, enters ? this::enter : this::exit);
  }

  private void stand(Visit visit, Stand stand) {
    world
        .inside()
        .addAndGet((stand == Stand.INSIDE ? 1 : 0) - (visit.stand == Stand.INSIDE ? 1 : 0));
    world
        .waiting()
        .addAndGet((stand == Stand.WAITING ? 1 : 0) - (visit.stand == Stand.WAITING ? 1 : 0));
    visit.stand = stand;
  }

  private void inside(Visit visit) {
    visit.failures = 0;
    if (visit.stand == Stand.LEAVING) {
      return; // an exit may be done at any time, also one that was asked for before a cut
    }
    visit.place = null;
    visit.ticket = Long.MIN_VALUE;
    if (visit.stand == Stand.INSIDE && visit.told) {
      return;
    }
    visit.told = true;
    stand(visit, Stand.INSIDE);
    world.log().add(now(), Kind.INSIDE, account, visit.room);
    step(visit, SeatHabits.some(world.habits().inside(), random), this::exit);
  }

  private void waits(Visit visit, String place) {
    visit.failures = 0;
    if (visit.stand == Stand.LEAVING) {
      return;
    }
    long ticket = ByteBuffer.wrap(Base64.getUrlDecoder().decode(place)).getLong();
    visit.place = place;
    if (visit.stand != Stand.WAITING || !visit.told || ticket != visit.ticket) {
      visit.told = true;
      visit.ticket = ticket;
      visit.step++;
      stand(visit, Stand.WAITING);
      world.log().add(now(), Kind.WAITS, account, visit.room, ticket);
    }
  }

  private void lost(Visit visit, String reason) {
    if (reason.equals("left")) {
      return; // the answer to the exit says so
    }
    visit.place = null;
    world.log().add(now(), Kind.LOST, account, visit.room);
    stand(visit, Stand.OUT);
    world.refused("seat.lost " + reason);
    step(visit, AGAIN_MS, this::enter);
  }

  private void answered(@Nullable Asked request) {
    if (request == null || request.enters()) {
      return;
    }
    Visit visit = request.visit();
    visit.failures = 0;
    world.exits().increment();
    world.log().add(now(), Kind.EXITED, account, visit.room);
    visit.place = null;
    stand(visit, Stand.OUT);
    step(visit, SeatHabits.some(world.habits().outside(), random), this::enter);
  }

  private void refused(@Nullable Asked request, JsonObject frame) {
    world.refused(frame.getString("code") + ": " + frame.getString("message"));
    if (request != null) {
      Visit visit = request.visit();
      long pause = backoff.delay(visit.failures++).toMillis();
      again(visit, request.enters(), Math.max(1, frame.getLong("retry_after_ms", 0L) + pause));
    }
  }
}
