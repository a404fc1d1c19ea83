package io.confab.seat;

import io.confab.protocol.Refusal;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// Has what many ask about one key done together: one call about it is under way, and what comes
/// meanwhile goes with the next ones, in its order. For any thread; an answer comes on the context of
/// who asked.
final class GatheredCalls<K, I, A> {
  private final int together;
  private final int most;
  private final Supplier<Refusal> tooMany;
  private final BiFunction<K, List<I>, Future<List<A>>> call;

  /// Of those keys about which a call is under way.
  private final Map<K, Deque<Asked<I, A>>> waiting = new HashMap<>();

  private int waitingItems;

  private record Asked<I, A>(List<I> items, Promise<List<A>> answer, Caller caller) {}

  /// @param together items of one call, unless somebody asks for more at once
  /// @param most items that may wait; beyond that it is refused
  GatheredCalls(
      int together,
      int most,
      Supplier<Refusal> tooMany,
      BiFunction<K, List<I>, Future<List<A>>> call) {
    this.together = together;
    this.most = most;
    this.tooMany = tooMany;
    this.call = call;
  }

  /// Answers each of the items.
  Future<List<A>> ask(K key, List<I> items) {
    Asked<I, A> mine = new Asked<>(items, Promise.promise(), Caller.current());
    synchronized (this) {
      Deque<Asked<I, A>> others = waiting.get(key);
      if (others != null) {
        if (waitingItems + items.size() > most) {
          return Future.failedFuture(tooMany.get());
        }
        others.add(mine);
        waitingItems += items.size();
        return mine.answer().future();
      }
      waiting.put(key, new ArrayDeque<>());
    }
    send(key, List.of(mine));
    return mine.answer().future();
  }

  private void send(K key, List<Asked<I, A>> asked) {
    List<I> items = new ArrayList<>();
    asked.forEach(each -> items.addAll(each.items()));
    Future.<Void>succeededFuture()
        .compose(_ -> call.apply(key, items))
        .onComplete(
            result -> {
              List<Asked<I, A>> next = next(key);
              if (!next.isEmpty()) {
                send(key, next);
              }
              answer(asked, result);
            });
  }

  /// What goes with the next call; if that is nothing, none is under way any more.
  private synchronized List<Asked<I, A>> next(K key) {
    Deque<Asked<I, A>> others = waiting.getOrDefault(key, new ArrayDeque<>());
    List<Asked<I, A>> next = new ArrayList<>();
    int count = 0;
    while (!others.isEmpty()
        && (next.isEmpty() || count + others.element().items().size() <= together)) {
      count += others.element().items().size();
      next.add(others.remove());
    }
    waitingItems -= count;
    if (next.isEmpty()) {
      waiting.remove(key);
    }
    return next;
  }

  private void answer(List<Asked<I, A>> asked, AsyncResult<List<A>> result) {
    int from = 0;
    for (Asked<I, A> each : asked) {
      int to = from + each.items().size();
      List<A> its = result.succeeded() ? result.result().subList(from, to) : List.of();
      each.caller().run(() -> each.answer().handle(result.map(its)));
      from = to;
    }
  }
}
