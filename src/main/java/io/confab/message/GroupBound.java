package io.confab.message;

import io.confab.feed.QueuedSend;
import io.confab.message.WriterQueue.Sealing;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.confab.queue.EnvelopeOutcome.Stored;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// How many rows a group of envelopes may write, so that the queues that it locks are free again
/// soon. A send writes one for each device of its room: as many as the last one there did, and
/// where that is not known, as many as a room may have.
///
/// After a group that took longer than statements may, groups have half as many rows as that one.
/// After each one that is stored and used the half of it they may have a tenth more.
final class GroupBound {
  private static final int MOST_ROWS = 10_000;
  private static final int MOST_DEVICES = 1_000;
  private static final int MOST_ROOMS = 10_000;

  /// Of rooms, the one that was noted the longest ago first.
  private final SequencedMap<RoomId, Integer> devices = new LinkedHashMap<>();

  private int most = MOST_ROWS;

  int most() {
    return most;
  }

  /// How many rows it writes, about.
  int rows(EnvelopeDraft draft) {
    int bodies = draft.bodies().size();
    RoomId room = draft.roomId();
    return room == null || !isForAll(draft)
        ? Math.max(1, bodies)
        : Math.max(bodies, devices.getOrDefault(room, MOST_DEVICES));
  }

  private static boolean isForAll(EnvelopeDraft draft) {
    return !draft.silent() || draft.payload() != null;
  }

  void stored(List<Sealing> group, List<EnvelopeOutcome> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      EnvelopeDraft draft = group.get(i).draft();
      RoomId room = draft.roomId();
      if (room != null && isForAll(draft) && outcomes.get(i) instanceof Stored stored) {
        note(room, stored.queued());
      }
    }
    grow(rows(group));
  }

  /// A group of whole sends uses half of the bound at least, if there was more to store.
  private void grow(long rows) {
    if (2 * rows >= most) {
      most = (int) Math.min(MOST_ROWS, Math.max(most, rows) + Math.max(1, most / 10));
    }
  }

  private void note(RoomId room, List<QueuedSend> queued) {
    devices.putLast(room, Math.max(1, queued.stream().mapToInt(q -> q.places().size()).sum()));
    if (devices.size() > MOST_ROOMS) {
      devices.pollFirstEntry();
    }
  }

  void tookTooLong(List<Sealing> group) {
    most = (int) Math.max(1, Math.min(most, rows(group)) / 2);
  }

  private long rows(List<Sealing> group) {
    return group.stream().mapToLong(each -> rows(each.draft())).sum();
  }
}
