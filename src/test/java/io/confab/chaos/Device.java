package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalMarks;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A device that keeps a connection to any node, resumes from where it was, and writes down
/// all that comes. A node that is silent for a while is left. Lives on one context.
final class Device {
  private static final long TICK_MS = 50;
  private static final long BEAT_MS = 1_000;
  private static final long SILENCE_MS = 5_000;
  private static final long CONNECT_MS = 3_000;
  private static final Set<String> NOT_LET_IN = Set.of("unauthorized", "forbidden");

  /// Once in so long, on average, it goes to another node by itself, while people talk, and unless
  /// it is to notice a fault: the last ones would leave before they did.
  private static final int ROAM_MS = 20_000;

  private final String name;
  private Person person;
  private final RunContext world;
  private final RandomGenerator random;
  private final Vertx vertx;
  private final WebSocketClient client;
  private final Context context;
  private final Outbox outbox;
  private final Views views;
  private final Markers markers;
  private final Company company;

  private @Nullable Line line;
  private long nextConnect;
  private long lastTick;
  private boolean closed;

  /// Its sign-in may end at any time, or has.
  private boolean ending;

  /// Since when the sign-in is known to be over, in milliseconds; 0 while it is not.
  private long revoked;

  /// An attempt of unknown outcome may end the sign-in yet.
  private boolean inDoubt;

  /// The sign-in was tried since and refused.
  private boolean refused;

  private long timer = -1;

  /// One connection, from its first try on.
  private static final class Line {
    final Machine machine;
    final ClientWebSocket socket;
    final long begun;
    boolean open;
    boolean welcomed;
    boolean live;
    boolean over;
    long heard;
    long beat;
    long comeBack;

    Line(Machine machine, ClientWebSocket socket, long begun) {
      this.machine = machine;
      this.socket = socket;
      this.begun = begun;
      this.heard = begun;
    }
  }

  /// @param perSecond messages that it sends
  Device(
      String name,
      Person person,
      RunContext world,
      Fleet.Means means,
      long seed,
      double perSecond) {
    this.name = name;
    this.person = person;
    this.world = world;
    this.random = new java.util.SplittableRandom(seed);
    this.vertx = means.vertx();
    this.client = means.client();
    this.context = vertx.getOrCreateContext();
    this.outbox = new Outbox(name, person.accountId(), world, means.comeAndGo(), random, perSecond);
    this.views = new Views(name, person.accountId(), world, means.comeAndGo());
    this.markers = new Markers(name, person.accountId(), world, means.comeAndGo(), random);
    this.company = new Company(name, person.accountId(), world, means.comeAndGo(), random);
  }

  String name() {
    return name;
  }

  void open() {
    context.runOnContext(
        _ -> {
          lastTick = world.millis();
          timer = vertx.setPeriodic(1 + random.nextInt((int) TICK_MS), TICK_MS, _ -> tick());
        });
  }

  /// Asks something on the device's context.
  <T> T ask(Function<Device, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    context.runOnContext(_ -> answer.complete(question.apply(this)));
    return answer.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /// On the device's context: what it said that is not acknowledged yet.
  int unsaid() {
    return outbox.open() + markers.open() + company.open();
  }

  /// On the device's context: whom it watches, and what it is itself.
  Company company() {
    return company;
  }

  /// On the device's context: what it knows of what was received and read in its rooms.
  List<FinalMarks.Known> marks() {
    return markers.known(views.rooms());
  }

  /// On the device's context: the last rev it has of a room, -1 without a view.
  long rev(String room) {
    return views.rev(room);
  }

  /// On the device's context.
  List<String> rooms() {
    return views.rooms();
  }

  /// On the device's context: whether it gets what is said.
  boolean isLive() {
    return line != null && line.live;
  }

  /// On the device's context: the node it is connected to.
  Optional<String> node() {
    return Optional.ofNullable(line).filter(l -> l.live).map(l -> l.machine.name());
  }

  /// On the device's context: says one thing more to the room and answers its client id.
  String sendNow(String room) {
    return outbox.sendNow(room);
  }

  /// On the device's context: as whom it signed in last.
  Person person() {
    return person;
  }

  /// On the device's context: from now on it may be told that its sign-in is over. Answers which.
  Person endsSoon() {
    ending = true;
    return person;
  }

  /// On the device's context: its sign-in is over. It stays where it is, and when it is sent away
  /// tries once more.
  boolean revoked() {
    revoked = world.millis();
    refused = false;
    return true;
  }

  /// On the device's context: whether no connection of the sign-in that is over is left.
  boolean isOver() {
    return line == null || line.begun >= revoked;
  }

  /// On the device's context: whether the sign-in that is over was refused since.
  boolean isRefused() {
    return refused;
  }

  /// On the device's context: whether what was in doubt ended the sign-in.
  boolean isLost() {
    return refused && !ending;
  }

  /// On the device's context: goes on by this sign-in.
  ///
  /// @param inDoubt whether an attempt of unknown outcome may end it yet
  boolean signedIn(Person anew, boolean inDoubt) {
    person = anew;
    this.inDoubt = inDoubt;
    ending = false;
    revoked = 0;
    refused = false;
    if (line != null) {
      over(line, Entry.BY_ITSELF);
    }
    return true;
  }

  /// On the device's context: goes to any node anew.
  boolean moveOn() {
    Line current = line;
    if (current == null || !current.live) {
      return false;
    }
    over(current, Entry.BY_ITSELF);
    return true;
  }

  private void tick() {
    long now = world.millis();
    Line current = line;
    if (current == null) {
      if (!closed && !refused && now >= nextConnect) {
        connect(now);
      }
    } else if (now - (current.live ? current.heard : current.begun)
        > (current.live ? SILENCE_MS : CONNECT_MS)) {
      over(current, -1);
    } else if (current.live
        && world.accepting().get()
        && !current.machine.isStruck()
        && !ending
        && random.nextInt(ROAM_MS) < now - lastTick) {
      over(current, Entry.BY_ITSELF);
    } else if (current.live) {
      if (now - current.beat >= BEAT_MS) {
        current.beat = now;
        current.socket.writeTextMessage("{\"type\":\"ping\"}");
      }
      outbox.tick(
          now - lastTick, views.rooms(), frame -> current.socket.writeTextMessage(frame.encode()));
      markers.tick(
          now - lastTick, views.rooms(), frame -> current.socket.writeTextMessage(frame.encode()));
      company.tick(
          now - lastTick, views.rooms(), frame -> current.socket.writeTextMessage(frame.encode()));
    }
    lastTick = now;
  }

  private void connect(long now) {
    Machine machine = world.machines().get(random.nextInt(world.machines().size()));
    ClientWebSocket socket = client.webSocket();
    Line next = new Line(machine, socket, now);
    line = next;
    socket.textMessageHandler(text -> here(() -> received(next, text)));
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
        .onComplete(
            open ->
                here(
                    () -> {
                      if (open.failed()) {
                        over(next, -1);
                      } else if (next.over) {
                        socket.shutdown(0, TimeUnit.MILLISECONDS);
                      } else {
                        next.open = true;
                        hello(next);
                      }
                    }));
  }

  private void here(Runnable work) {
    if (Vertx.currentContext() == context) {
      work.run();
    } else {
      context.runOnContext(_ -> work.run());
    }
  }

  private void hello(Line current) {
    current.socket.writeTextMessage(
        new JsonObject().put("type", "hello").put("token", person.token()).encode());
  }

  private void received(Line current, String text) {
    if (current.over) {
      return;
    }
    current.heard = world.millis();
    JsonObject frame = new JsonObject(text);
    if (outbox.answered(frame)
        || markers.answered(frame)
        || company.answered(frame)
        || company.received(frame)
        || markers.received(frame)
        || views.received(frame)) {
      return;
    }
    switch (frame.getString("type")) {
      case "welcome" -> welcomed(current, frame);
      case "resumed" -> {
        views.resumed(frame);
        markers.resumed(frame);
        current.live = true;
        world.history().add(t -> new Entry.Connected(t, name, current.machine.name()));
      }
      case "goodbye" -> current.comeBack = frame.getLong("reconnect_after_ms", 0L);
      case "error" -> refused(current, frame);
      default -> {} // pong, unread
    }
  }

  private void welcomed(Line current, JsonObject welcome) {
    current.welcomed = true;
    long asked = TimeUnit.MILLISECONDS.toNanos(current.begun);
    world.history().add(t -> new Entry.LetIn(t, name, current.machine.name(), asked));
    current.socket.writeTextMessage(
        new JsonObject()
            .put("type", "resume")
            .put("rooms", views.positions(welcome))
            .put("last", true)
            .encode());
  }

  /// An error that answers neither a wish nor anything else while the line is made.
  private void refused(Line current, JsonObject error) {
    if ((ending || inDoubt) && NOT_LET_IN.contains(error.getString("code"))) {
      refused = !ending || (revoked > 0 && current.begun >= revoked);
      over(current, -1);
      return;
    }
    if (!current.live) {
      over(current, -1);
    }
    if (!error.getBoolean("retryable", false) && !error.containsKey("client_id")) {
      world.anomalies().add(name + " got " + error.encode());
    }
  }

  private void over(Line current, int code) {
    if (current.over) {
      return;
    }
    current.over = true;
    line = null;
    nextConnect = world.millis() + current.comeBack + random.nextInt(current.welcomed ? 50 : 400);
    if (current.live) {
      world.history().add(t -> new Entry.Disconnected(t, name, current.machine.name(), code));
    }
    outbox.cut();
    markers.cut();
    company.cut();
    if (current.open) {
      current.socket.shutdown(0, TimeUnit.MILLISECONDS);
    }
  }

  /// Ends it for good.
  void close() {
    ask(
        _ -> {
          closed = true;
          vertx.cancelTimer(timer);
          if (line != null) {
            over(line, Entry.BY_ITSELF);
          }
          return true;
        });
  }
}
