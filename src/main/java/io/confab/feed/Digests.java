package io.confab.feed;

import io.confab.feed.Digest.Contents;
import io.confab.feed.DigestWatch.Verdict;
import io.confab.feed.DigestWatch.Way;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.protocol.Epoch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Tells the other nodes what this one announced, and has this one's event loops look at what
/// others tell, or at everything where that may not be all.
///
/// Plain code; time is handed in, in nanoseconds. Belongs to one context.
final class Digests {
  /// The ways to the other nodes. Both never wait and may lose anything.
  interface Ways {
    void overRedis(byte[] digest);

    void overBus(byte[] digest);

    boolean redisIsUp();
  }

  /// @param now the epoch that this node knows
  /// @param heard called with the epoch of every digest of others
  record Epochs(Supplier<Epoch> now, Consumer<Epoch> heard) {}

  /// Longer than a publication is on its way.
  private static final long QUIET_NS = Duration.ofSeconds(10).toNanos();

  private final DigestWatch watch;
  private final DigestCodec codec;
  private final FeedHub hub;
  private final Epochs epochs;
  private final Ways ways;
  private final Meters meters;
  private final Consumer<CompareReason> comparing;
  private final LongAdder refused = new LongAdder();
  private long number;
  private long aloneSince;

  Digests(
      DigestWatch watch, DigestCodec codec, FeedHub hub, Epochs epochs, Ways ways, Meters meters) {
    this.watch = watch;
    this.codec = codec;
    this.hub = hub;
    this.epochs = epochs;
    this.ways = ways;
    this.meters = meters;
    this.comparing = meters.counting(Meter.COMPARISONS, CompareReason.class);
  }

  /// To be called every half second, and with `leaving` as the last thing of all.
  void publish(boolean leaving, long now) {
    Epoch epoch = epochs.now().get();
    List<Contents> parts = hub.log().parts(epoch);
    if (parts.getLast().more()) {
      compare(Optional.of(CompareReason.OVERFULL));
    }
    for (int i = 1; i <= parts.size(); i++) {
      publish(epoch, parts.get(i - 1), leaving && i == parts.size(), now);
    }
  }

  private void publish(Epoch epoch, Contents contents, boolean leaving, long now) {
    number++;
    byte[] publication = codec.encode(new Digest(watch.self(), number, leaving, epoch, contents));
    ways.overRedis(publication);
    if (!ways.redisIsUp() || watch.isDeaf(now)) {
      ways.overBus(publication);
    }
    meters.digestPublished();
  }

  /// To be called several times a second.
  void tick(long now) {
    compare(watch.tick(now));
    tellAlone(now);
  }

  private void tellAlone(long now) {
    boolean alone = watch.isAlone(now);
    if (!alone) {
      aloneSince = now;
    }
    hub.alone(alone, alone && now - aloneSince >= QUIET_NS);
  }

  /// As [DigestWatch#mayBeUnheard].
  boolean mayBeUnheard(long now) {
    return watch.mayBeUnheard(now);
  }

  /// What the database says of nodes that may be unheard.
  void lone(List<Digest.Origin> nodes, long now) {
    compare(watch.lone(nodes, now));
  }

  void heard(Way way, byte[] publication, long now) {
    codec
        .decode(publication)
        .ifPresentOrElse(digest -> heard(way, digest, now), refused::increment);
  }

  private void heard(Way way, Digest digest, long now) {
    Verdict verdict = watch.heard(digest, way, now);
    tellAlone(now);
    if (verdict.fresh()) {
      epochs.heard().accept(digest.epoch());
      meters.digestsMissed(verdict.missed());
      tell(digest);
    }
    compare(verdict.compare());
  }

  /// What a node says of rooms and queues that has not heard of a newer epoch is but a reason to
  /// look.
  private void tell(Digest digest) {
    if (digest.epoch().equals(epochs.now().get())) {
      digest.contents().moved().forEach(moved -> hub.tell(moved.room(), moved.rev()));
      digest.contents().sends().forEach(sends -> hub.tell(sends.room(), sends.number()));
    } else {
      digest.contents().moved().forEach(moved -> hub.look(moved.room()));
      digest.contents().sends().forEach(sends -> hub.lookAtQueues(sends.room()));
    }
    digest.contents().signals().forEach(hub::signal);
  }

  private void compare(Optional<CompareReason> reason) {
    reason.ifPresent(
        why -> {
          comparing.accept(why);
          hub.compareAll();
        });
  }

  /// Digests that were not ours, or not of this database. For any thread.
  long refused() {
    return refused.sum();
  }
}
