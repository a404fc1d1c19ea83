package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A device of sealed rooms, from when it has keys until it is removed: it keeps a connection to
/// any node, resumes its rooms, opens its queue, and says and gets what is for devices. Lives on
/// one context.
final class SealedDevice {
  private static final long TICK_MS = 50;
  private static final long BEAT_MS = 1_000;
  private static final long SILENCE_MS = 5_000;
  private static final long CONNECT_MS = 3_000;

  /// Once in so long, on average, it goes to another node by itself, while people talk.
  private static final int ROAM_MS = 15_000;

  private final String name;
  private final Person person;
  private final long registration;
  private final RunContext world;
  private final Fleet.Means means;
  private final Context context;
  private final RandomGenerator random;
  private final Views views;
  private final SealedOutbox outbox;
  private final SealedInbox inbox;

  private @Nullable Line line;
  private long nextConnect;
  private long lastTick;
  private long timer = -1;
  private boolean ends;
  private boolean closed;

  /// One connection, from its first try on.
  private static final class Line {
    final Machine machine;
    final ClientWebSocket socket;
    final long begun;
    boolean open;
    boolean live;
    boolean over;
    long heard;
    long beat;

    Line(Machine machine, ClientWebSocket socket, long begun) {
      this.machine = machine;
      this.socket = socket;
      this.begun = begun;
      this.heard = begun;
    }

    void say(JsonObject frame) {
      socket.writeTextMessage(frame.encode());
    }
  }

  /// @param perSecond letters that it sends
  SealedDevice(
      String name,
      Person person,
      long registration,
      RunContext world,
      Fleet.Means means,
      long seed,
      double perSecond) {
    this.name = name;
    this.person = person;
    this.registration = registration;
    this.world = world;
    this.means = means;
    this.context = means.vertx().getOrCreateContext();
    this.random = new SplittableRandom(seed);
    String account = person.accountId();
    this.views = new Views(name, account, world, true);
    this.outbox = new SealedOutbox(name, account, registration, world, random, perSecond);
    this.inbox = new SealedInbox(name, registration, world, random);
  }

  String name() {
    return name;
  }

  Person person() {
    return person;
  }

  long registration() {
    return registration;
  }

  void open() {
    context.runOnContext(
        _ -> {
          lastTick = world.millis();
          long first = 1L + random.nextInt((int) TICK_MS);
          timer = means.vertx().setPeriodic(first, TICK_MS, _ -> tick());
        });
  }

  /// Asks something on the device's context.
  <T> T ask(Function<SealedDevice, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    context.runOnContext(_ -> answer.complete(question.apply(this)));
    return answer.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /// On the device's context: whether it gets what is said and what is for it.
  boolean isLive() {
    return line != null && line.live && inbox.isOpen();
  }

  /// On the device's context: what it said that is not acknowledged yet.
  int unsaid() {
    return outbox.open();
  }

  /// On the device's context: whether it has all up to this number, and the server knows.
  boolean hasAcknowledged(long last) {
    return inbox.hasAcknowledged(last);
  }

  /// On the device's context: whether every view of these rooms is there, in all that is open.
  boolean have(Map<String, Long> revs) {
    return views.rooms().stream().allMatch(room -> views.rev(room) >= revs.getOrDefault(room, 0L));
  }

  /// On the device's context: from now on it may be told that it is no device any more.
  boolean endsSoon() {
    ends = true;
    views.endAll();
    outbox.stop();
    inbox.stop();
    return true;
  }

  private void tick() {
    long now = world.millis();
    Line current = line;
    if (current == null) {
      if (!closed && now >= nextConnect) {
        connect(now);
      }
    } else if (now - (current.live ? current.heard : current.begun)
        > (current.live ? SILENCE_MS : CONNECT_MS)) {
      over(current, -1);
    } else if (current.live) {
      talk(current, now);
    }
    lastTick = now;
  }

  private void talk(Line current, long now) {
    boolean roams =
        world.accepting().get()
            && !current.machine.isStruck()
            && random.nextInt(ROAM_MS) < now - lastTick;
    if (roams || inbox.isStuck()) {
      over(current, Entry.BY_ITSELF);
      return;
    }
    if (now - current.beat >= BEAT_MS) {
      current.beat = now;
      current.say(new JsonObject().put("type", "ping"));
    }
    inbox.tick(now - lastTick, current::say);
    outbox.tick(now - lastTick, ends ? List.of() : views.rooms(), current::say);
  }

  private void connect(long now) {
    Machine machine = world.machines().get(random.nextInt(world.machines().size()));
    ClientWebSocket socket = means.client().webSocket();
    Line next = new Line(machine, socket, now);
    line = next;
    socket.textMessageHandler(text -> here(() -> received(next, new JsonObject(text))));
    socket.closeHandler(
        _ ->
            here(
                () ->
                    over(next, Optional.ofNullable(socket.closeStatusCode()).orElse((short) -1))));
    socket.exceptionHandler(_ -> {}); // its closing follows
    socket
        .connect(
            new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(machine.door())
                .setURI("/v1/socket")
                .addSubProtocol("confab.v1")
                .setAllowOriginHeader(false)
                .setTimeout(CONNECT_MS))
        .onComplete(open -> here(() -> connected(next, open.succeeded())));
  }

  private void connected(Line next, boolean open) {
    if (!open) {
      over(next, -1);
    } else if (next.over) {
      next.socket.shutdown(0, TimeUnit.MILLISECONDS);
    } else {
      next.open = true;
      next.say(new JsonObject().put("type", "hello").put("token", person.token()));
    }
  }

  private void here(Runnable work) {
    if (Vertx.currentContext() == context) {
      work.run();
    } else {
      context.runOnContext(_ -> work.run());
    }
  }

  private void received(Line current, JsonObject frame) {
    if (current.over) {
      return;
    }
    current.heard = world.millis();
    if (outbox.answered(frame)
        || inbox.answered(frame)
        || inbox.received(frame)
        || (!ends && views.received(frame))) {
      return;
    }
    talked(current, frame);
  }

  /// One that is about to be removed comes back to no room.
  private void talked(Line current, JsonObject frame) {
    switch (frame.getString("type")) {
      case "welcome" -> {
        if (!ends) {
          current.say(
              new JsonObject()
                  .put("type", "resume")
                  .put("rooms", views.positions(frame))
                  .put("last", true));
        }
      }
      case "resumed" -> {
        if (!ends) {
          views.resumed(frame);
        }
        current.live = true;
        world.history().add(t -> new Entry.Connected(t, name, current.machine.name()));
      }
      case "marker" -> delivered(frame);
      case "message.ack" -> failed(frame);
      case "error" -> refused(current, frame);
      default -> {} // pong, devices.changed, goodbye
    }
  }

  /// Of what others say it takes no notice.
  private void delivered(JsonObject marker) {
    if (marker.containsKey("delivered_from")) {
      state(marker, "delivered_from", "delivered_seq", Entry.DELIVERED);
    }
  }

  private void failed(JsonObject ack) {
    if ("failed".equals(ack.getString("status"))) {
      state(ack, "seq", "seq", ack.getString("reason"));
    }
  }

  private void state(JsonObject frame, String from, String to, String status) {
    String room = frame.getString("room_id");
    long first = frame.getLong(from);
    long last = frame.getLong(to);
    if (outbox.sent(room, first, last)) {
      String account = frame.getString("account_id");
      world.history().add(t -> new Entry.StateTold(t, name, room, account, first, last, status));
    }
  }

  private void refused(Line current, JsonObject error) {
    closed |= ends;
    if (ends || !current.live) {
      over(current, -1);
    }
    if (!ends && !error.getBoolean("retryable", false) && !error.containsKey("client_id")) {
      world.anomalies().add(name + " got " + error.encode());
    }
  }

  private void over(Line current, int code) {
    if (current.over) {
      return;
    }
    current.over = true;
    line = null;
    nextConnect = world.millis() + random.nextInt(400);
    if (current.live) {
      world.history().add(t -> new Entry.Disconnected(t, name, current.machine.name(), code));
    }
    outbox.cut();
    inbox.cut();
    if (current.open) {
      current.socket.shutdown(0, TimeUnit.MILLISECONDS);
    }
  }

  /// Ends it for good.
  void close() {
    ask(
        _ -> {
          closed = true;
          means.vertx().cancelTimer(timer);
          if (line != null) {
            over(line, Entry.BY_ITSELF);
          }
          return true;
        });
  }
}
