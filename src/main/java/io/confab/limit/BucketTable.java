package io.confab.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The buckets of a node, of a bounded number: beyond it the bucket that was idle for longest is
/// dropped and starts anew. Each bucket is worked on under the lock of its stripe, for less than a
/// microsecond. For any thread.
final class BucketTable {
  private static final int STRIPES = 64;

  private final Stripe[] stripes;

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
  BucketTable(int most) {
    this.stripes =
        IntStream.range(0, STRIPES)
            .mapToObj(_ -> new Stripe(Math.ceilDiv(most, STRIPES)))
            .toArray(Stripe[]::new);
  }

  /// Works on a bucket, made if it is not there; `work` must not block.
  <T> T with(Key key, Function<Key, Bucket> made, Function<Bucket, T> work) {
    Stripe stripe = stripes[Math.floorMod(key.hashCode(), STRIPES)];
    synchronized (stripe) {
      return work.apply(stripe.computeIfAbsent(key, made));
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
