package io.confab.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/// Channels in the order of their arrival, grouped by slot.
final class ChannelGroups {
  private final ToIntFunction<String> slots;
  private final Map<Integer, Set<String>> bySlot = new LinkedHashMap<>();

  ChannelGroups(ToIntFunction<String> slots) {
    this.slots = slots;
  }

  void add(String channel) {
    bySlot.computeIfAbsent(slots.applyAsInt(channel), slot -> new LinkedHashSet<>()).add(channel);
  }

  void addAll(Collection<String> channels) {
    channels.forEach(this::add);
  }

  void remove(String channel) {
    bySlot.computeIfPresent(
        slots.applyAsInt(channel),
        (slot, channels) -> channels.remove(channel) && channels.isEmpty() ? null : channels);
  }

  boolean isEmpty() {
    return bySlot.isEmpty();
  }

  void clear() {
    bySlot.clear();
  }

  /// Takes channels of the first slot, at most so many.
  List<String> take(int most) {
    Iterator<Set<String>> groups = bySlot.values().iterator();
    Iterator<String> rest = groups.next().iterator();
    List<String> taken = new ArrayList<>();
    while (rest.hasNext() && taken.size() < most) {
      taken.add(rest.next());
      rest.remove();
    }
    if (!rest.hasNext()) {
      groups.remove();
    }
    return taken;
  }
}
