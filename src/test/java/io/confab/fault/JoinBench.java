package io.confab.fault;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What others notice when 150 people join one channel at once: how long a message takes in a room
/// that none of them is in, beside its quiet times in the same run. Run by `scripts/bench-joins`;
/// not part of the tests.
@ExtendWith(VertxExtension.class)
@Timeout(600)
@SuppressWarnings("NullAway.Init") // by its one test
class JoinBench {
  private static final int JOINING = 150;
  private static final int ROUNDS = 10;
  private static final int QUIET = 100;

  private ChatClient speaker;
  private ChatClient observer;
  private String calm;
  private int said;

  @Test
  void measure(Vertx vertx, @TempDir Path data) {
    try (NodeProcess node = NodeProcess.start(data, 0, Map.of());
        var joins = Executors.newVirtualThreadPerTaskExecutor()) {
      Person alice = ApiClient.person(node.port(), "alice", "Alice");
      Person bob = ApiClient.person(node.port(), "bob", "Bob");
      calm = alice.at(node.port()).channel("calm");
      bob.at(node.port()).join(calm);
      speaker = ChatClient.live(vertx, node.port(), alice.token());
      observer = ChatClient.live(vertx, node.port(), bob.token());
      List<ApiClient> people =
          IntStream.range(0, JOINING)
              .mapToObj(i -> ApiClient.person(node.port(), "joiner" + i, "Joiner").at(node.port()))
              .toList();
      round(node, joins, people, alice, "warm-up");

      Histogram quiet = new Histogram(3);
      Histogram busy = new Histogram(3);
      for (int i = 0; i < ROUNDS; i++) {
        for (int j = 0; j < QUIET; j++) {
          quiet.recordValue(talk());
        }
        busy.add(round(node, joins, people, alice, "storm" + i));
      }
      System.out.printf(
          "%d joins at once, %d times: others p50 %.1f ms, p99 %.1f ms over %d messages"
              + " (quiet %.1f, %.1f)%n",
          JOINING,
          ROUNDS,
          busy.getValueAtPercentile(50) / 1e3,
          busy.getValueAtPercentile(99) / 1e3,
          busy.getTotalCount(),
          quiet.getValueAtPercentile(50) / 1e3,
          quiet.getValueAtPercentile(99) / 1e3);
    }
  }

  /// All join a new channel at once; the others talk until the last one has joined.
  private Histogram round(
      NodeProcess node, Executor joins, List<ApiClient> people, Person owner, String name) {
    String room = owner.at(node.port()).channel(name);
    List<CompletableFuture<Void>> joining = new ArrayList<>();
    people.forEach(
        person -> joining.add(CompletableFuture.runAsync(() -> person.join(room), joins)));
    CompletableFuture<Void> all =
        CompletableFuture.allOf(joining.toArray(CompletableFuture[]::new));
    Histogram times = new Histogram(3);
    while (!all.isDone()) {
      times.recordValue(talk());
    }
    all.join();
    return times;
  }

  private long talk() {
    String body = "still here " + said++;
    CompletableFuture<Void> heard = new CompletableFuture<>();
    observer.listen(
        frame -> {
          if (body.equals(frame.getString("body"))) {
            heard.complete(null);
          }
        });
    long begun = System.nanoTime();
    ChatClient.get(speaker.send(calm, body, body));
    ChatClient.get(heard);
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
  }
}
