package io.confab.message;

import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Where each draft of a group stands among those of its room, as `append_messages` takes it: its
/// number is that which its room had, and its place.
final class PlaceColumns {
  /// Ascending, each once.
  private final Long[] rooms;

  private final Long[] counts;

  /// Of each draft, the index of its room, from 1.
  private final Integer[] slots;

  /// Of each draft, the how-manieth of its room it is, from 1.
  private final Long[] places;

  private PlaceColumns(List<Draft> group) {
    slots = new Integer[group.size()];
    places = new Long[group.size()];
    SortedMap<Long, Long> sizes = new TreeMap<>();
    for (int i = 0; i < places.length; i++) {
      places[i] = sizes.merge(group.get(i).roomId().value(), 1L, Long::sum);
    }
    rooms = sizes.keySet().toArray(Long[]::new);
    counts = sizes.values().toArray(Long[]::new);
    for (int i = 0; i < slots.length; i++) {
      slots[i] = Arrays.binarySearch(rooms, group.get(i).roomId().value()) + 1;
    }
  }

  static PlaceColumns of(List<Draft> group) {
    return new PlaceColumns(group);
  }

  /// The first arguments of `append_messages`.
  Tuple arguments() {
    return Tuple.tuple().addValue(rooms).addValue(counts).addValue(slots).addValue(places);
  }

  /// What became of the drafts if every one was stored.
  ///
  /// @param seqs of each room before the group
  /// @param revs the same
  /// @param ts milliseconds since 1970
  /// @param mentions of each draft, as `find_mentions` tells them; null: of none
  List<Outcome> stored(Long[] seqs, Long[] revs, long ts, @Nullable String @Nullable [] mentions) {
    List<Outcome> outcomes = new ArrayList<>(slots.length);
    for (int i = 0; i < slots.length; i++) {
      int room = slots[i] - 1;
      outcomes.add(
          new Outcome.Stored(
              new Seq(seqs[room] + places[i]),
              new Rev(revs[room] + places[i]),
              ts,
              Outcome.mentions(mentions == null ? null : mentions[i])));
    }
    return outcomes;
  }
}
