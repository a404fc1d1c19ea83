package io.confab.testing.proxy;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Loses what is published to Redis on channels of some kinds, such as `room`. For any thread.
public final class LostPublications implements Supplier<Filter> {
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong digests = new AtomicLong();
  private volatile Set<String> kinds = Set.of();

  /// From now on publications are lost whose channel is of one of these kinds.
  public void lose(String... channels) {
    kinds = Set.of(channels);
  }

  /// How many publications were lost.
  public long lost() {
    return lost.get();
  }

  /// How many digests have passed.
  public long digests() {
    return digests.get();
  }

  @Override
  public Filter get() {
    return new PublishFilter(this::isLost);
  }

  private boolean isLost(String channel) {
    if (channel.endsWith("node:digest")) {
      digests.incrementAndGet();
    }
    boolean is = kinds.stream().anyMatch(kind -> channel.contains(":" + kind + ":"));
    if (is) {
      lost.incrementAndGet();
    }
    return is;
  }
}
