package io.confab.feed;

import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Topic;
import io.confab.feed.DigestWatch.Way;
import io.confab.metrics.Meters;
import io.confab.protocol.Epoch;
import io.confab.time.Moments;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A node's digests on their way: published twice a second through Redis, and over the bus
/// while Redis is away. Lives on a context of its own.
public final class DigestExchange {
  /// How often a node publishes.
  public static final Duration EVERY = Duration.ofMillis(500);

  private static final Duration ASK_PATIENCE = Duration.ofSeconds(2);
  private static final Duration MEETING = Duration.ofSeconds(1);
  private static final Topic<Sealed> TOPIC = new Topic<>("digests");

  /// A digest as it goes over the bus.
  record Sealed(byte[] digest) implements BusMessage {}

  /// What a node's digests need to know of it.
  ///
  /// @param nonce drawn anew for each process
  /// @param gone how long something that a dead node began may take
  /// @param epoch of the database, as far as this node knows
  /// @param epochHeard called with the epoch of every digest of others
  public record Origin(
      long nonce,
      Duration gone,
      byte[] publishKey,
      Supplier<Epoch> epoch,
      Consumer<Epoch> epochHeard) {}

  private final Vertx vertx;
  private final Context context;
  private final RedisFanout fanout;
  private final Bus bus;
  private final Digests digests;
  private final DigestWatch watch;
  private final Digest.Origin self;
  private Future<?> meeting = Future.succeededFuture();
  private long publishing = -1;
  private long ticking = -1;

  public DigestExchange(
      Vertx vertx, RedisFanout fanout, Bus bus, FeedHub hub, Origin origin, Meters meters) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.fanout = fanout;
    this.bus = bus;
    this.self = new Digest.Origin(bus.node(), origin.nonce());
    this.watch = new DigestWatch(self, origin.gone(), System.nanoTime());
    this.digests =
        new Digests(
            watch,
            new DigestCodec(origin.publishKey()),
            hub,
            new Digests.Epochs(origin.epoch(), origin.epochHeard()),
            new BothWays(),
            meters);
  }

  /// Begins to listen and to publish. Waits for nobody.
  public void open() {
    fanout.hearDigests(digest -> heard(Way.REDIS, digest));
    bus.subscribe(TOPIC, published -> heard(Way.BUS, published.digest()));
    context.runOnContext(
        _ -> {
          publishing = Moments.periodic(vertx, EVERY, () -> publish(false));
          ticking =
              Moments.periodic(vertx, DigestWatch.TICK, () -> digests.tick(System.nanoTime()));
        });
  }

  /// Has this node say in the database when others may not hear it, and compare while one that it
  /// does not hear says so.
  public void meetInDatabase(LoneNodeStore store) {
    context.runOnContext(_ -> Moments.periodic(vertx, MEETING, () -> meet(store)));
  }

  private void meet(LoneNodeStore store) {
    if (!meeting.isComplete()) {
      return;
    }
    Future<Void> told =
        digests.mayBeUnheard(System.nanoTime()) ? store.write(self) : Future.succeededFuture();
    meeting =
        told.transform(_ -> store.read())
            .onSuccess(lone -> context.runOnContext(_ -> digests.lone(lone, System.nanoTime())));
  }

  /// Has this node's sockets sent away whenever it has been cut off, see [Isolation].
  ///
  /// @param database done when the database answers
  public void sendAwayWhenCutOff(Supplier<Future<Void>> database, Runnable sendAway) {
    Lookout lookout =
        new Lookout(
            watch.isolation(),
            () -> watch.awake(System.nanoTime()),
            () -> here(database.get()),
            sendAway);
    context.runOnContext(_ -> Moments.periodic(vertx, EVERY, lookout::look));
  }

  /// An answer that comes on the context, and in time or never.
  private Future<Void> here(Future<Void> answer) {
    Promise<Void> here = Promise.promise();
    answer
        .timeout(ASK_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(result -> context.runOnContext(_ -> here.handle(result)));
    return here.future();
  }

  private void heard(Way way, byte[] digest) {
    context.runOnContext(_ -> digests.heard(way, digest, System.nanoTime()));
  }

  private void publish(boolean leaving) {
    digests.publish(leaving, System.nanoTime());
  }

  /// Digests that were not ours, or not of this database, since the start.
  public long refused() {
    return digests.refused();
  }

  /// Publishes the last digest, which says so. To be called when nothing is announced any more.
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(
        _ -> {
          vertx.cancelTimer(publishing);
          vertx.cancelTimer(ticking);
          publish(true);
          closed.complete();
        });
    return closed.future();
  }

  private final class BothWays implements Digests.Ways {
    @Override
    public void overRedis(byte[] digest) {
      fanout.publishDigest(digest);
    }

    @Override
    public void overBus(byte[] digest) {
      bus.publish(TOPIC, new Sealed(digest));
    }

    @Override
    public boolean redisIsUp() {
      return fanout.isUp();
    }
  }
}
