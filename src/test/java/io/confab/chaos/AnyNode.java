package io.confab.chaos;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Calls over HTTP that go to any node, by the way that may fail. For one thread.
final class AnyNode {
  private static final long PAUSE_MS = 200;

  private final RunContext world;
  private final RandomGenerator random;

  AnyNode(RunContext world, RandomGenerator random) {
    this.world = world;
    this.random = random;
  }

  /// What a node said that could be asked.
  ///
  /// @param node empty where an earlier attempt may have done it, by whichever node
  record Said(Answer answer, String node) {
    /// An earlier attempt may have done it, or does it yet: a node that stood still, or a way that
    /// was silent, goes on with what it holds.
    boolean isInDoubt() {
      return node.isEmpty();
    }

    boolean isYes() {
      return answer.status() < 300;
    }
  }

  /// Asks one node after the other until one says yes, or no for good.
  ///
  /// @param caller by port
  Said ask(IntFunction<ApiClient> caller, String method, String path, @Nullable JsonObject body)
      throws InterruptedException {
    boolean first = true;
    while (true) {
      Machine machine = any();
      try {
        Answer answer = caller.apply(machine.door()).call(method, path, body);
        if (answer.status() < 500 && answer.status() != 429) {
          return new Said(answer, first ? machine.name() : "");
        }
      } catch (UncheckedIOException away) {
        // another node
      }
      first = false;
      Thread.sleep(PAUSE_MS);
    }
  }

  /// Asks one node, whatever becomes of it.
  void tell(IntFunction<ApiClient> caller, String method, String path, @Nullable JsonObject body) {
    try {
      caller.apply(any().door()).call(method, path, body);
    } catch (UncheckedIOException away) {
      // nobody knows
    }
  }

  private Machine any() {
    return world.machines().get(random.nextInt(world.machines().size()));
  }
}
