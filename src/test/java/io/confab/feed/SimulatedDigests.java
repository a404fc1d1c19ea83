package io.confab.feed;

import io.confab.feed.DigestWatch.Way;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The digests of a simulated node.
public final class SimulatedDigests {
  private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private final Digest.Origin self;
  private final DigestWatch watch;
  private final Digests digests;

  /// The ways to the other nodes of a simulated world.
  public record Ways(Consumer<byte[]> redis, Consumer<byte[]> bus, BooleanSupplier up)
      implements Digests.Ways {
    @Override
    public void overRedis(byte[] digest) {
      redis.accept(digest);
    }

    @Override
    public void overBus(byte[] digest) {
      bus.accept(digest);
    }

    @Override
    public boolean redisIsUp() {
      return up.getAsBoolean();
    }
  }

  /// What nodes that may be unheard say in the database of a simulated world.
  public static final class LoneNodes {
    private static final long FRESH_NS = Duration.ofSeconds(5).toNanos();

    private final Map<Digest.Origin, Long> seenAt = new LinkedHashMap<>();

    private List<Digest.Origin> fresh(long now) {
      seenAt.values().removeIf(at -> now - at >= FRESH_NS);
      return List.copyOf(seenAt.keySet());
    }
  }

  /// @param nonce of this life of the node
  /// @param gone how long something that a dead node began may take
  public SimulatedDigests(
      NodeId node, long nonce, FeedHub hub, Ways ways, Duration gone, Meters meters) {
    this.self = new Digest.Origin(node, nonce);
    this.watch = new DigestWatch(self, gone, nonce);
    this.digests =
        new Digests(
            watch,
            new DigestCodec(KEY),
            hub,
            new Digests.Epochs(() -> hub.epoch().current(), epoch -> hub.epoch().saw(epoch)),
            ways,
            meters);
  }

  /// Answers what is to be called several times a second, so that this node looks whether it is cut
  /// off.
  public Runnable lookout(
      LongSupplier nanoTime, Supplier<Future<Void>> database, Runnable sendAway) {
    return new Lookout(
            watch.isolation(), () -> watch.awake(nanoTime.getAsLong()), database, sendAway)
        ::look;
  }

  public void publish(long now) {
    digests.publish(false, now);
  }

  public void tick(long now) {
    digests.tick(now);
  }

  /// To be called once a second while the database answers.
  public void meet(LoneNodes nodes, long now) {
    if (digests.mayBeUnheard(now)) {
      nodes.seenAt.put(self, now);
    }
    digests.lone(nodes.fresh(now), now);
  }

  public void heardOverRedis(byte[] digest, long now) {
    digests.heard(Way.REDIS, digest, now);
  }

  public void heardOverBus(byte[] digest, long now) {
    digests.heard(Way.BUS, digest, now);
  }
}
