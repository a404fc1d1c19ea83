package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a durable send costs from socket to database to another socket, with the real jar as a
/// process of its own: an open loop of sends at a fixed rate, each to a room of two. Run by
/// `scripts/bench-send`; not part of the tests.
@Timeout(300)
class SendBench {
  private static final int PAIRS = 20;
  private static final int ROUNDS = 5;
  private static final int SECONDS = 6;
  private static final int[] RATES = {50, 500, 2_000};
  private static final long NANOS = 1_000_000_000L;

  private final Vertx vertx;
  private final List<Pair> pairs = new ArrayList<>();

  private record Pair(ChatClient sender, ChatClient receiver, String room) {}

  SendBench(Vertx vertx) {
    this.vertx = vertx;
  }

  @Test
  void measure(@TempDir Path data) throws IOException {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                "target/confab.jar",
                "serve",
                "--data-dir",
                data.toString(),
                "--port",
                "18380",
                "--management-port",
                "18381")
            .redirectError(new java.io.File("target/bench-server.log"))
            .start();
    try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).contains("is ready");
      for (int i = 0; i < PAIRS; i++) {
        pairs.add(pair(i));
      }
      round(server, 2_000, -1); // warm up
      for (int round = 0; round < ROUNDS; round++) {
        for (int rate : RATES) {
          System.out.println(round(server, rate, round));
        }
      }
    } finally {
      server.destroy();
    }
  }

  private Pair pair(int i) {
    Person a = ApiClient.person(18380, "sender" + i, "Sender");
    Person b = ApiClient.person(18380, "receiver" + i, "Receiver");
    String room = a.at(18380).channel("bench" + i);
    b.at(18380).join(room);
    return new Pair(
        ChatClient.live(vertx, 18380, a.token()), ChatClient.live(vertx, 18380, b.token()), room);
  }

  private String round(Process server, int rate, int round) {
    Histogram acks = new ConcurrentHistogram(3);
    int messages = rate * SECONDS;
    long jvmBefore = cpu(server.toHandle());
    long childrenBefore = childrenCpu(server);
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < messages; i++) {
      long due = begin + i * NANOS / rate;
      LockSupport.parkNanos(due - System.nanoTime());
      Pair pair = pairs.get(i % PAIRS);
      waiting.add(
          pair.sender()
              .send(pair.room(), round + "-" + rate + "-" + i, "x".repeat(200))
              .thenAccept(ack -> acks.recordValue((System.nanoTime() - due) / 1_000)));
    }
    waiting.forEach(ChatClient::get);
    long jvm = cpu(server.toHandle()) - jvmBefore;
    long children = childrenCpu(server) - childrenBefore;
    for (Pair pair : pairs) {
      assertReceived(pair);
    }
    return "| %d | %d | %.2f | %.2f | %d | %d |"
        .formatted(
            round,
            rate,
            acks.getValueAtPercentile(50) / 1_000.0,
            acks.getValueAtPercentile(99) / 1_000.0,
            jvm / messages,
            children / messages);
  }

  /// The ledger: what was acknowledged came to the other one, once, in order, without a hole.
  private static void assertReceived(Pair pair) {
    long last =
        pair.sender().frames("message.ack").stream()
            .mapToLong(f -> f.getLong("rev"))
            .max()
            .orElse(0);
    pair.receiver().awaitRev(pair.room(), last);
    List<Long> revs =
        pair.receiver().events(pair.room()).stream().map(f -> f.getLong("rev")).toList();
    assertThat(revs).isEqualTo(LongStream.rangeClosed(3, last).boxed().toList());
  }

  private static long childrenCpu(Process server) {
    return server.descendants().mapToLong(SendBench::cpu).sum();
  }

  /// User and system time in microseconds (proc(5): fields 14 and 15, hundredths of a second).
  private static long cpu(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
      return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) * 10_000;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
