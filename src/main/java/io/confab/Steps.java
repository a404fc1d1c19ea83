package io.confab;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of a node in the order in which they were started, and how each is stopped. The log
/// says what a start and a stop wait for.
final class Steps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Steps.class);

  /// How long each step of starting and stopping may take.
  private static final long PATIENCE_SECONDS = 60;

  private final Runnable done;
  private final List<Step> steps = new ArrayList<>();

  private record Step(String name, AutoCloseable stop) {}

  /// @param done is run after each step
  Steps(Runnable done) {
    this.done = done;
  }

  /// Says what the start waits for from now on.
  static void waiting(String what) {
    LOG.info("Waiting for {}", what);
  }

  /// @param name parts of one name after each other are told as one
  void add(String name, AutoCloseable stop) {
    steps.add(new Step(name, stop));
    done.run();
  }

  void deploy(Vertx vertx, String name, VerticleBase verticle) {
    String deployment = await(vertx.deployVerticle(verticle));
    add(name, () -> await(vertx.undeploy(deployment)));
  }

  /// Blocks until a future completes; fails with its failure.
  static <T> T await(Future<T> future) {
    try {
      return future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new IllegalStateException("not done within " + PATIENCE_SECONDS + " s", late);
    }
  }

  /// The same in a start: a failure to get an answer in time names what was waited for.
  static <T> T await(String what, Future<T> future) {
    waiting(what);
    try {
      return future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | VertxException late) {
      throw new UncheckedIOException(
          new IOException(
              "Confab could not start: it waited in vain for %s (%s). On a slow or busy machine, try again."
                  .formatted(what, late.getMessage()),
              late));
    }
  }

  /// Stops all parts, the last one first. A part that fails to stop does not keep the rest running.
  @Override
  public void close() {
    long began = System.nanoTime();
    String told = "";
    for (Step step : steps.reversed()) {
      if (!step.name().equals(told)) {
        LOG.info("Stopping {}", step.name());
        told = step.name();
      }
      try {
        step.stop().close();
      } catch (Exception failure) {
        LOG.warn("{} did not stop well", step.name(), failure);
      }
    }
    if (!steps.isEmpty()) {
      LOG.info("Stopped in {}", since(began));
    }
    steps.clear();
  }

  /// For the log.
  static String since(long nanoTime) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanoTime) + " ms";
  }
}
