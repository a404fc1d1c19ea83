package io.confab.socket;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.time.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/// Whose seats are looked at soon: sessions that begin, and signals that come, at about the same
/// time go together. Belongs to its loop.
final class SeatLooks {
  private static final Duration GATHER = Duration.ofMillis(20);

  private final Timers timers;
  private final long most;
  private final BiConsumer<RoomId, Map<AccountId, Boolean>> look;

  /// By account, whether it is looked at also if nothing is known of it here by then.
  private final Map<RoomId, Map<AccountId, Boolean>> waiting = new LinkedHashMap<>();

  private int size;
  private boolean gathering;

  /// @param most of whom it may wait; beyond that nobody is looked at, and sessions ask
  /// @param look looks at accounts of a room, by whether that is so also if nothing is known of
  ///     them here
  SeatLooks(Timers timers, long most, BiConsumer<RoomId, Map<AccountId, Boolean>> look) {
    this.timers = timers;
    this.most = most;
    this.look = look;
  }

  /// @param anyway also if nothing is known here by then
  void add(AccountId account, RoomId room, boolean anyway) {
    if (size >= most) {
      return;
    }
    Map<AccountId, Boolean> those = waiting.computeIfAbsent(room, _ -> new LinkedHashMap<>());
    int before = those.size();
    those.merge(account, anyway, Boolean::logicalOr);
    size += those.size() - before;
    if (!gathering) {
      gathering = true;
      timers.after(GATHER, this::lookNow);
    }
  }

  private void lookNow() {
    gathering = false;
    Map<RoomId, Map<AccountId, Boolean>> all = new LinkedHashMap<>(waiting);
    waiting.clear();
    size = 0;
    all.forEach(look);
  }

  /// The last session of the account is gone.
  void forget(AccountId account) {
    waiting.values().removeIf(those -> remove(those, account));
  }

  private boolean remove(Map<AccountId, Boolean> those, AccountId account) {
    if (those.remove(account) != null) {
      size--;
    }
    return those.isEmpty();
  }
}
