package io.confab.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// The buckets of a node, of a bounded number: beyond it the bucket that was idle for longest is
/// dropped and starts anew. With each use that one of its stripe goes if it is idle: so those of a
/// crowd are not kept for as long as the node runs. Each bucket is worked on under the lock of its
/// stripe, for less than a microsecond. For any thread.
final class BucketTable {
  private static final int STRIPE_BITS = 6;
  private static final int STRIPES = 1 << STRIPE_BITS;

  /// Spreads the hashes of numbers in digits, which are close together, over all stripes (Knuth,
  /// The Art of Computer Programming, 6.4).
  private static final int SPREAD = 0x9E37_79B9;

  private final Stripe[] stripes;
  private final Function<Key, Bucket> fresh;
  private final Predicate<Bucket> isIdle;

  /// Whose bucket it is, and of which limit.
  record Key(Limit limit, String who) {}

  private static final class Stripe extends LinkedHashMap<Key, Bucket> {
    private static final long serialVersionUID = 1L;

    private final int most;

    Stripe(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, Bucket> eldest) {
      return size() > most;
    }
  }

  /// @param most buckets, about
  /// @param fresh makes one that is not there
  /// @param isIdle whether a bucket says no more than one that begins now
  BucketTable(int most, Function<Key, Bucket> fresh, Predicate<Bucket> isIdle) {
    this.fresh = fresh;
    this.isIdle = isIdle;
    this.stripes =
        IntStream.range(0, STRIPES)
            .mapToObj(_ -> new Stripe(Math.ceilDiv(most, STRIPES)))
            .toArray(Stripe[]::new);
  }

  /// Works on a bucket, made if it is not there; `work` must not block.
  <T> T with(Key key, Function<Bucket, T> work) {
    Stripe stripe = stripes[(key.hashCode() * SPREAD) >>> (Integer.SIZE - STRIPE_BITS)];
    synchronized (stripe) {
      T done = work.apply(stripe.computeIfAbsent(key, fresh));
      dropOneIdle(stripe);
      return done;
    }
  }

  private void dropOneIdle(Stripe stripe) {
    var eldest = stripe.values().iterator();
    if (isIdle.test(eldest.next())) {
      eldest.remove();
    }
  }

  int size() {
    int size = 0;
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        size += stripe.size();
      }
    }
    return size;
  }
}
