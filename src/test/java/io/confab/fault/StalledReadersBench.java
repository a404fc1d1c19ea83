package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.RawSocket;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What readers that stop reading cost a busy room, against the real jar: rounds without and with
/// them in turn, an open loop of sends, the time from when a send was due to its arrival at those
/// who read. Run by `scripts/bench-stalled`; not part of the tests.
@ExtendWith(VertxExtension.class)
@Timeout(400)
class StalledReadersBench {
  private static final int RATE = 1_000;
  private static final int SECONDS = 6;
  private static final int ROUNDS = 5;
  private static final int STALLED = 100;
  private static final int READERS = 5;
  private static final int SPEAKERS = 4;
  private static final long NANOS = 1_000_000_000L;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String PADDING = "x".repeat(180);

  private final WebSocketClient http;
  private int said;

  StalledReadersBench(Vertx vertx) {
    this.http = vertx.createWebSocketClient();
  }

  /// Somebody who reads, and measures.
  private static final class Reader {
    private final AtomicLong heard = new AtomicLong();
    private volatile Histogram latencies = new ConcurrentHistogram(3);

    Reader(WebSocket socket) {
      socket.textMessageHandler(this::text);
    }

    private void text(String text) {
      int at = text.indexOf("\"body\":\"");
      if (text.startsWith("{\"type\":\"message.receive\"") && at >= 0) {
        int from = at + "\"body\":\"".length();
        long due = Long.parseLong(text.substring(from, text.indexOf(' ', from)));
        latencies.recordValue(Math.max(0, System.nanoTime() - due) / 1_000);
        heard.incrementAndGet();
      }
    }
  }

  @Test
  void measure(@TempDir Path data) throws IOException {
    try (NodeProcess node = NodeProcess.start(data)) {
      int port = node.port();
      Person alice = ApiClient.person(port, "alice", "Alice");
      String room = alice.at(port).channel("busy");
      List<Reader> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(new Reader(live(port, member(port, room, "reader" + i))));
      }
      List<WebSocket> speakers = new ArrayList<>();
      for (int i = 0; i < SPEAKERS; i++) {
        speakers.add(live(port, member(port, room, "speaker" + i)));
      }
      List<Person> idle = new ArrayList<>();
      for (int i = 0; i < STALLED; i++) {
        idle.add(member(port, room, "stalled" + i));
      }
      Memory memory = new Memory(node.family().getFirst().pid());
      round(memory, speakers, readers, room, List.of(), "warm-up");
      System.out.println(
          "| round | p50 ms | p99 ms | most ms | live heap before → after MB | resident MB |");
      System.out.println("|---|---|---|---|---|---|");
      for (int i = 0; i < ROUNDS; i++) {
        System.out.println(round(memory, speakers, readers, room, List.of(), "without"));
        List<RawSocket> stalled = idle.stream().map(person -> stall(port, person)).toList();
        System.out.println(round(memory, speakers, readers, room, stalled, "with " + STALLED));
        stalled.forEach(RawSocket::close);
      }
    }
  }

  private static Person member(int port, String room, String handle) {
    Person person = ApiClient.person(port, handle, handle);
    person.at(port).join(room);
    return person;
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
    socket.writeTextMessage(
        new JsonObject().put("type", "hello").put("token", person.token()).encode());
    socket.writeTextMessage(resume().encode());
    return socket;
  }

  private static JsonObject resume() {
    return new JsonObject().put("type", "resume").put("rooms", new JsonArray()).put("last", true);
  }

  /// Says hello, wants everything and reads nothing.
  private static RawSocket stall(int port, Person person) {
    RawSocket socket = RawSocket.withSmallBuffer(port, person.token());
    socket.say(resume());
    return socket;
  }

  private String round(
      Memory memory,
      List<WebSocket> speakers,
      List<Reader> readers,
      String room,
      List<RawSocket> stalled,
      String name) {
    long before = memory.liveHeapMb();
    readers.forEach(reader -> reader.latencies = new ConcurrentHistogram(3));
    long begin = System.nanoTime();
    for (int i = 0; i < RATE * SECONDS; i++) {
      long due = begin + i * NANOS / RATE;
      LockSupport.parkNanos(due - System.nanoTime());
      JsonObject send =
          new JsonObject()
              .put("type", "message.send")
              .put("room_id", room)
              .put("client_id", "m" + said++)
              .put("body", due + " " + PADDING);
      speakers.get(i % SPEAKERS).writeTextMessage(send.encode());
    }
    await().atMost(PATIENCE).until(() -> readers.stream().allMatch(r -> r.heard.get() == said));
    long after = memory.liveHeapMb();
    Histogram all = new Histogram(3);
    readers.forEach(reader -> all.add(reader.latencies));
    assertThat(stalled).hasSize(name.startsWith("with ") ? STALLED : 0);
    return String.format(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %.1f | %d → %d | %d |",
        name,
        all.getValueAtPercentile(50) / 1e3,
        all.getValueAtPercentile(99) / 1e3,
        all.getMaxValue() / 1e3,
        before,
        after,
        memory.residentMb());
  }
}
