package io.confab.seat;

import io.confab.protocol.Refusal;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Has what many ask about one key done together: one call about it is under way, and what comes
/// meanwhile goes with the next ones, in its order. For any thread; an answer comes on the context
/// of who asked.
final class GatheredCalls<K, I, A> {
  private final Bounds bounds;
  private final LongSupplier nanoTime;
  private final Supplier<Refusal> tooMany;
  private final BiFunction<K, List<I>, Future<List<A>>> call;

  /// Of those keys about which a call is under way.
  private final Map<K, Line<I, A>> waiting = new HashMap<>();

  private int waitingItems;

  /// @param together items of one call, unless somebody asks for more at once
  /// @param most items that may wait, half of them about one key; beyond that it is refused
  /// @param patience for how long one waits for a call
  record Bounds(int together, int most, Duration patience) {}

  private record Asked<I, A>(List<I> items, Promise<List<A>> answer, Caller caller, long since) {}

  private static final class Line<I, A> {
    private final Deque<Asked<I, A>> asked = new ArrayDeque<>();
    private int items;

    private Asked<I, A> remove() {
      items -= asked.element().items().size();
      return asked.remove();
    }
  }

  GatheredCalls(
      Bounds bounds,
      LongSupplier nanoTime,
      Supplier<Refusal> tooMany,
      BiFunction<K, List<I>, Future<List<A>>> call) {
    this.bounds = bounds;
    this.nanoTime = nanoTime;
    this.tooMany = tooMany;
    this.call = call;
  }

  /// Answers each of the items.
  Future<List<A>> ask(K key, List<I> items) {
    Asked<I, A> mine =
        new Asked<>(items, Promise.promise(), Caller.current(), nanoTime.getAsLong());
    synchronized (this) {
      Line<I, A> others = waiting.get(key);
      if (others != null) {
        int size = items.size();
        if (waitingItems + size > bounds.most() || others.items + size > bounds.most() / 2) {
          return Future.failedFuture(tooMany.get());
        }
        others.asked.add(mine);
        others.items += size;
        waitingItems += size;
        return mine.answer().future();
      }
      waiting.put(key, new Line<>());
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
              List<Asked<I, A>> overdue = new ArrayList<>();
              List<Asked<I, A>> next = next(key, overdue);
              if (!next.isEmpty()) {
                send(key, next);
              }
              answer(asked, result);
              overdue.forEach(each -> each.caller().run(() -> each.answer().fail(tooMany.get())));
            });
  }

  /// What goes with the next call; if that is nothing, none is under way any more. Who waited for
  /// too long has given up.
  private synchronized List<Asked<I, A>> next(K key, List<Asked<I, A>> overdue) {
    Line<I, A> others = waiting.getOrDefault(key, new Line<>());
    int before = others.items;
    List<Asked<I, A>> next = new ArrayList<>();
    int count = 0;
    while (!others.asked.isEmpty()) {
      Asked<I, A> first = others.asked.element();
      int size = first.items().size();
      if (nanoTime.getAsLong() - first.since() > bounds.patience().toNanos()) {
        overdue.add(others.remove());
      } else if (next.isEmpty() || count + size <= bounds.together()) {
        next.add(others.remove());
        count += size;
      } else {
        break;
      }
    }
    waitingItems -= before - others.items;
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
