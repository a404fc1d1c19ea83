package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.confab.socket.AutobahnRun.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Every case of the Autobahn suite but those of compression, which is off: framing, pings,
/// reserved bits and opcodes, fragments, UTF-8, closing, auto-fragmentation. Those of group 9
/// (large messages) take minutes: `scripts/autobahn` runs them too.
@Tag("alone")
class AutobahnIT {
  private static final List<String> QUICK =
      List.of("1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "10.*");
  private static final Duration LIMIT = Duration.ofMinutes(12);
  private static final int MOST_UNSETTLED = 5;
  private static final int QUICK_CASES = 247;
  private static final int LARGE_CASES = 54;

  /// The suite would have a fault within a frame noticed before the frame is whole, which RFC
  /// 6455 §8.1 leaves open. Here each frame is looked at as a whole; it is small.
  private static final Set<String> NON_STRICT = Set.of("6.4.3", "6.4.4");

  @TestFactory
  @Timeout(900)
  Stream<DynamicTest> everyCasePasses() throws IOException, InterruptedException {
    boolean all = Boolean.getBoolean("confab.autobahn.all");
    List<String> cases = new ArrayList<>(QUICK);
    if (all) {
      cases.add("9.*");
    }
    try (EchoServer server = new EchoServer()) {
      List<Result> results = settled(AutobahnRun.of(cases, server.port(), LIMIT), server.port());
      print(results);
      return Stream.concat(
          Stream.of(
              dynamicTest(
                  "all ran",
                  () ->
                      assertThat(results).hasSize(all ? QUICK_CASES + LARGE_CASES : QUICK_CASES))),
          results.stream().map(r -> dynamicTest(r.id(), () -> assertPassed(r))));
    }
  }

  /// The suite waits a second in each case and then cuts the connection, which on a machine that
  /// stood still says nothing of the server. Such cases, if they are few, are run again.
  private static List<Result> settled(List<Result> results, int port)
      throws IOException, InterruptedException {
    List<String> cut =
        results.stream().filter(Result::wasCutBySuite).map(Result::id).sorted().toList();
    if (cut.isEmpty() || cut.size() > MOST_UNSETTLED) {
      return results;
    }
    System.out.println("Autobahn: once more, as the suite's second was over: " + cut);
    List<Result> all = new ArrayList<>(AutobahnRun.of(cut, port, LIMIT));
    results.stream().filter(r -> !cut.contains(r.id())).forEach(all::add);
    return all;
  }

  private static void assertPassed(Result result) {
    Set<String> accepted =
        NON_STRICT.contains(result.id())
            ? Set.of("OK", "NON-STRICT")
            : Set.of("OK", "INFORMATIONAL");
    assertThat(result.behavior()).as("%s", result).isIn(accepted);
    assertThat(result.close()).as("%s", result).isIn("OK", "INFORMATIONAL");
    if (!result.closeCodes().isEmpty()) {
      assertThat(result.closeCode()).as("%s", result).isIn(result.closeCodes());
    }
  }

  private static void print(List<Result> results) {
    System.out.printf(
        "Autobahn: %d cases, %d canonical, %d allowed otherwise, %d informational%n",
        results.size(),
        count(results, "OK"::equals),
        count(results, "NON-STRICT"::equals),
        count(results, "INFORMATIONAL"::equals));
    results.stream()
        .filter(r -> !r.behavior().equals("OK") || !r.close().equals("OK"))
        .forEach(System.out::println);
  }

  private static long count(List<Result> results, Predicate<String> behavior) {
    return results.stream().filter(r -> behavior.test(r.behavior())).count();
  }
}
