package io.confab.limit;

import java.util.HashMap;
import java.util.Map;

/// Bytes that many hold at the same time: bounded for all together, and a quarter of that for one
/// of them. For any thread.
public final class ByteBudget {
  private static final int PARTS = 4;

  private final long most;
  private final Map<String, Long> holders = new HashMap<>();
  private long held;

  /// @param most bytes that all hold together
  public ByteBudget(long most) {
    this.most = most;
  }

  /// A budget of which one alone may hold at least `forOne`.
  public static ByteBudget withRoomFor(long forOne, long most) {
    return new ByteBudget(Math.max(most, PARTS * forOne));
  }

  /// Takes bytes for somebody, or answers false where the budget does not suffice.
  public synchronized boolean take(String who, long bytes) {
    long theirs = holders.getOrDefault(who, 0L) + bytes;
    if (held + bytes > most || theirs > most / PARTS) {
      return false;
    }
    held += bytes;
    holders.put(who, theirs);
    return true;
  }

  /// Gives back bytes that were taken for the same holder.
  public synchronized void release(String who, long bytes) {
    held -= bytes;
    holders.computeIfPresent(who, (_, theirs) -> theirs == bytes ? null : theirs - bytes);
  }

  /// Bytes held now.
  public synchronized long held() {
    return held;
  }
}
