package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.fault.Memory;
import io.confab.fault.NodeProcess;
import io.confab.fault.WithoutLimits;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Bent, broken and random frames and requests over TCP, against the real jar and without limits:
/// nothing is answered as a bug, nothing hangs, the log shows no stack, and the heap is what it
/// was. Run by `scripts/fuzz-node`; not part of the tests.
@Timeout(1_800)
class FuzzBench {
  private static final long FRAMES = Long.getLong("confab.fuzz.frames", 1_000_000);
  private static final long REQUESTS = Long.getLong("confab.fuzz.requests", 100_000);
  private static final long SEED = Long.getLong("confab.fuzz.seed", System.nanoTime());
  private static final int PEOPLE = 6;

  @Test
  void aNodeIsWhatItWas(@TempDir Path data) throws InterruptedException {
    try (NodeProcess node = NodeProcess.start(data, 0, WithoutLimits.variables())) {
      List<Person> people =
          IntStream.range(0, PEOPLE)
              .mapToObj(i -> ApiClient.person(node.port(), "person" + i, "Person"))
              .toList();
      String room = people.getFirst().at(node.port()).channel("fuzz");
      people.forEach(person -> person.at(node.port()).join(room));
      Memory memory = new Memory(node.pid());
      run(node, people, room, FRAMES / 50, REQUESTS / 50); // classes, code and caches
      long heap = memory.liveHeapMb();
      long resident = memory.residentMb();
      long begin = System.nanoTime();

      String told = run(node, people, room, FRAMES, REQUESTS);

      System.out.printf(
          Locale.ROOT,
          "seed %d, %d s: %s; %,.0f texts were read; live heap %d → %d MB, resident %d → %d MB%n",
          SEED,
          (System.nanoTime() - begin) / 1_000_000_000L,
          told,
          node.meter("confab_frames_in_total"),
          heap,
          memory.liveHeapMb(),
          resident,
          memory.residentMb());
      assertThat(node.isAlive()).isTrue();
      assertThat(node.failing()).isEmpty();
      assertThat(node.output().lines().filter(line -> line.startsWith("\tat ")).limit(20))
          .isEmpty();
      assertThat(node.output()).doesNotContain("ERROR");
      assertThat(memory.liveHeapMb()).isLessThan(2 * heap + 16);
    }
  }

  private static String run(
      NodeProcess node, List<Person> people, String room, long frames, long requests)
      throws InterruptedException {
    FuzzedSockets sockets = new FuzzedSockets(node.port(), room, SEED, frames);
    FuzzedRequests http = new FuzzedRequests(node.port(), room, SEED, requests);
    List<Thread> threads =
        IntStream.range(0, people.size())
            .mapToObj(
                i -> {
                  String token = people.get(i).token();
                  return i % 3 == 0
                      ? Thread.ofPlatform().start(() -> http.run(token))
                      : Thread.ofPlatform().start(() -> sockets.run(token));
                })
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    String errors =
        node.output()
            .lines()
            .dropWhile(line -> !line.contains("ERROR"))
            .limit(40)
            .collect(Collectors.joining("\n"));
    assertThat(errors).as("what the node says of its errors").isEmpty();
    sockets.requireNoFault();
    http.requireNoFault();
    return sockets + "; " + http;
  }
}
