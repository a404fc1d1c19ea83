package io.confab.client;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/// Runs [SessionRules] on one event loop: an input, then the actions that it leads to, then a timer
/// for when the rules are due. Inputs may come from any thread.
final class RulesLoop {
  private final Vertx vertx;
  private final Context context;
  private final SessionRules rules;
  private final Consumer<Action> performer;
  private final Deque<Action> actions = new ArrayDeque<>();
  private long armedFor = Long.MAX_VALUE;
  private long timer = -1;

  /// Something that happens to the client.
  interface Input {
    void give(SessionRules rules, long now);
  }

  /// An input that has an answer.
  interface Question<T> {
    T ask(SessionRules rules, long now);
  }

  /// @param rules is given where the actions go
  RulesLoop(
      Vertx vertx, Function<Consumer<Action>, SessionRules> rules, Consumer<Action> performer) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.rules = rules.apply(actions::add);
    this.performer = performer;
  }

  /// Gives the rules an input and carries out what they decide, whatever is thrown on the way.
  void give(Input input) {
    context.runOnContext(
        _ -> {
          try {
            input.give(rules, now());
          } finally {
            drain();
            arm();
          }
        });
  }

  /// The answer comes when the actions that the question led to are carried out.
  <T> Future<T> ask(Question<T> question) {
    Promise<T> answer = Promise.promise();
    give(
        (asked, now) -> {
          try {
            T result = question.ask(asked, now);
            context.runOnContext(_ -> answer.complete(result));
          } catch (RuntimeException fault) {
            answer.fail(fault);
          }
        });
    return answer.future();
  }

  private void drain() {
    while (!actions.isEmpty()) {
      Action next = actions.removeFirst();
      try {
        performer.accept(next);
      } catch (RuntimeException fault) {
        report(fault);
      }
    }
  }

  /// Leaves a fault, mostly of the listener, to the handler of the context; the rest goes on.
  private void report(RuntimeException fault) {
    context.runOnContext(
        _ -> {
          throw fault;
        });
  }

  private void arm() {
    OptionalLong deadline = rules.deadline();
    if (deadline.isPresent() && deadline.getAsLong() < armedFor) {
      vertx.cancelTimer(timer);
      armedFor = deadline.getAsLong();
      timer = vertx.setTimer(Math.max(1, armedFor - now()), _ -> expired());
    }
  }

  private void expired() {
    give(
        (due, now) -> {
          armedFor = Long.MAX_VALUE;
          due.tick(now);
        });
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
