package io.confab.presence;

import io.confab.time.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// Finds, each second, those of whom no node says anything any more: their node died, or they left
/// with it. All nodes try, one of them does it (`online_sweep.lua`).
final class PresenceSweep {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final int shards;
  private final IntFunction<Future<List<Transition>>> sweep;
  private final Consumer<List<Transition>> found;
  private Future<?> underWay = Future.succeededFuture();

  /// @param sweep takes some out of a shard
  PresenceSweep(
      int shards, IntFunction<Future<List<Transition>>> sweep, Consumer<List<Transition>> found) {
    this.shards = shards;
    this.sweep = sweep;
    this.found = found;
  }

  /// Begins to sweep, until the node ends.
  void start(Vertx vertx) {
    vertx.runOnContext(_ -> new Ticks(vertx, PERIOD, this::tick).start());
  }

  /// Unless the last one is still under way.
  void tick() {
    if (underWay.isComplete()) {
      List<Future<?>> answers = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        answers.add(sweep(shard));
      }
      underWay = Future.join(answers);
    }
  }

  private Future<?> sweep(int shard) {
    return sweep
        .apply(shard)
        .compose(
            gone -> {
              found.accept(gone);
              return gone.size() < RedisPresence.BATCH ? Future.succeededFuture() : sweep(shard);
            });
  }
}
