package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What one address that floods a node costs the people at another, against the real jar: each
/// kind of flood beside rounds of quiet and rounds in which a loop that does nothing takes the
/// flooder's core. An open loop of pings and sends, timed from when each was due. Run by
/// `scripts/bench-flood`; not part of the tests.
@ExtendWith(VertxExtension.class)
@Timeout(400)
class FloodBench {
  private static final int ROUNDS = Integer.getInteger("confab.rounds", 3);
  private static final int SECONDS = 3;
  private static final int PEOPLE = 4;
  private static final int RATE = 200;
  private static final long NANOS = 1_000_000_000L;
  private static final long SETTLING_NS = 3 * NANOS;
  private static final String CORE = "1";

  private final WebSocketClient http;
  private final List<WebSocket> people = new ArrayList<>();
  private volatile Histogram pongs = new ConcurrentHistogram(3);
  private volatile Histogram acks = new ConcurrentHistogram(3);
  private int said;

  FloodBench(Vertx vertx) {
    this.http = vertx.createWebSocketClient();
  }

  @Test
  void measure(@TempDir Path data) throws IOException {
    try (NodeProcess node = NodeProcess.start(data)) {
      int port = node.port();
      Person owner = ApiClient.person(port, "owner", "Owner");
      String room = owner.at(port).channel("talk");
      for (int i = 0; i < PEOPLE; i++) {
        Person person = ApiClient.person(port, "person" + i, "Person");
        person.at(port).join(room);
        people.add(live(port, person));
      }
      Person flooder = ApiClient.person(port, "flooder", "Flooder");
      round(room, "warm-up");
      System.out.println(
          "| round | ping → pong p50, p99, most ms | send → ack p50, p99, most ms | answered |");
      System.out.println("|---|---|---|---|");
      for (int i = 0; i < ROUNDS; i++) {
        System.out.println(round(room, "quiet"));
        System.out.println(beside(room, "a loop", "sh", "-c", "while :; do :; done"));
        for (Flooder.Kind kind : Flooder.Kind.values()) {
          System.out.println(
              beside(
                  room,
                  kind.name().toLowerCase(Locale.ROOT),
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Flooder.class.getName(),
                  kind.name(),
                  Integer.toString(port),
                  flooder.token()));
        }
      }
      assertThat(node.isAlive()).isTrue();
    }
  }

  private WebSocket live(int port, Person person) {
    WebSocket socket =
        http.connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(port)
                    .setURI("/v1/socket")
                    .setAllowOriginHeader(false)
                    .addSubProtocol("confab.v1"))
            .await();
    socket.textMessageHandler(this::heard);
    socket.writeTextMessage(
        new JsonObject().put("type", "hello").put("token", person.token()).encode());
    return socket;
  }

  /// What was asked has the time at which it was due as its id.
  private void heard(String text) {
    JsonObject frame = new JsonObject(text);
    String due = frame.getString("re");
    if (due != null) {
      boolean pong = frame.getString("type").equals("pong");
      (pong ? pongs : acks)
          .recordValue(Math.max(0, System.nanoTime() - Long.parseLong(due)) / 1_000);
    }
  }

  private String beside(String room, String name, String... command) throws IOException {
    List<String> pinned = new ArrayList<>(List.of("taskset", "-c", CORE));
    pinned.addAll(List.of(command));
    Process other =
        new ProcessBuilder(pinned)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      LockSupport.parkNanos(SETTLING_NS); // until it has begun, and has used up its burst
      assertThat(other.isAlive()).isTrue();
      return round(room, name);
    } finally {
      other.destroyForcibly();
    }
  }

  private String round(String room, String name) {
    pongs = new ConcurrentHistogram(3);
    acks = new ConcurrentHistogram(3);
    long begin = System.nanoTime();
    for (int i = 0; i < RATE * SECONDS; i++) {
      long due = begin + i * NANOS / RATE;
      LockSupport.parkNanos(due - System.nanoTime());
      JsonObject ping = new JsonObject().put("type", "ping").put("id", Long.toString(due));
      people.get(i % PEOPLE).writeTextMessage(ping.encode());
      if (i % PEOPLE == 0) {
        people.get(i / PEOPLE % PEOPLE).writeTextMessage(send(room, due).encode());
      }
    }
    LockSupport.parkNanos(NANOS); // what is later than this is missing from the count
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %d of %d |",
        name,
        times(pongs),
        times(acks),
        pongs.getTotalCount() + acks.getTotalCount(),
        RATE * SECONDS + RATE * SECONDS / PEOPLE);
  }

  private JsonObject send(String room, long due) {
    return new JsonObject()
        .put("type", "message.send")
        .put("id", Long.toString(due))
        .put("room_id", room)
        .put("client_id", "m" + said++)
        .put("body", "hello");
  }

  private static String times(Histogram times) {
    return String.format(
        Locale.ROOT,
        "%.1f, %.1f, %.1f",
        times.getValueAtPercentile(50) / 1e3,
        times.getValueAtPercentile(99) / 1e3,
        times.getMaxValue() / 1e3);
  }
}
