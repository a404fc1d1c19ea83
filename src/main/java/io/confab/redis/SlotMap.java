package io.confab.redis;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Which master of a cluster is in charge of which slot, as of one moment. A slot may have none.
final class SlotMap {
  /// Slots in a row with the same master, both ends included.
  record Range(int first, int last, RedisServer master) {}

  static final SlotMap EMPTY = new SlotMap(List.of());

  private final @Nullable RedisServer[] bySlot = new RedisServer[KeySlot.COUNT];
  private final Set<RedisServer> masters;

  SlotMap(List<Range> ranges) {
    for (Range range : ranges) {
      Arrays.fill(bySlot, range.first(), range.last() + 1, range.master());
    }
    masters = new LinkedHashSet<>(ranges.stream().map(Range::master).toList());
  }

  Optional<RedisServer> master(int slot) {
    return Optional.ofNullable(bySlot[slot]);
  }

  /// In charge of the key or channel.
  Optional<RedisServer> master(String key) {
    return master(KeySlot.of(key));
  }

  Set<RedisServer> masters() {
    return masters;
  }

  /// A channel that begins so and lies with this master.
  Optional<String> channelAt(RedisServer master, String start) {
    return IntStream.range(0, 20 * KeySlot.COUNT)
        .mapToObj(number -> start + number)
        .filter(channel -> master.equals(bySlot[KeySlot.of(channel)]))
        .findFirst();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SlotMap map && Arrays.equals(bySlot, map.bySlot);
  }

  @Override
  public int hashCode() {
    return masters.hashCode();
  }
}
