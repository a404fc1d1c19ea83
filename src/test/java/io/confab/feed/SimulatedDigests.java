package io.confab.feed;

import io.confab.feed.DigestWatch.Way;
import io.confab.metrics.Meters;
import io.confab.protocol.NodeId;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The digests of a simulated node.
public final class SimulatedDigests {
  private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

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

  /// @param nonce of this life of the node
  /// @param gone how long something that a dead node began may take
  public SimulatedDigests(
      NodeId node, long nonce, FeedHub hub, Ways ways, Duration gone, Meters meters) {
    this.digests =
        new Digests(
            new DigestWatch(new Digest.Origin(node, nonce), gone, nonce),
            new DigestCodec(KEY),
            hub,
            new Digests.Epochs(() -> hub.epoch().current(), epoch -> hub.epoch().saw(epoch)),
            ways,
            meters);
  }

  public void publish(long now) {
    digests.publish(false, now);
  }

  public void tick(long now) {
    digests.tick(now);
  }

  public void heardOverRedis(byte[] digest, long now) {
    digests.heard(Way.REDIS, digest, now);
  }

  public void heardOverBus(byte[] digest, long now) {
    digests.heard(Way.BUS, digest, now);
  }
}
