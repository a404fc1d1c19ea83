package io.confab.limit;

import java.util.HashMap;
import java.util.Map;

/// Something that many hold at the same time, such as bytes or connections: bounded for all
/// together, and for each of them. For any thread.
public final class Budget {
  private static final int PARTS = 4;

  private final long most;
  private final long mostOfOne;
  private final Map<String, Long> holders = new HashMap<>();
  private long held;

  /// @param most that all hold together; one of them a quarter
  public Budget(long most) {
    this(most, most / PARTS);
  }

  /// @param most that all hold together
  /// @param mostOfOne that one of them holds
  Budget(long most, long mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /// A budget of which one alone may hold at least `forOne`.
  public static Budget withRoomFor(long forOne, long most) {
    return new Budget(Math.max(most, PARTS * forOne));
  }

  /// Takes an amount for somebody, or answers false where the budget does not suffice.
  public synchronized boolean take(String who, long amount) {
    return holders.getOrDefault(who, 0L) + amount <= mostOfOne && takeAnyway(who, amount);
  }

  /// Takes an amount for somebody who may hold as much as all.
  synchronized boolean takeAnyway(String who, long amount) {
    if (held + amount > most) {
      return false;
    }
    held += amount;
    holders.merge(who, amount, Long::sum);
    return true;
  }

  /// Gives back what was taken for the same holder.
  public synchronized void release(String who, long amount) {
    held -= amount;
    holders.computeIfPresent(who, (_, theirs) -> theirs == amount ? null : theirs - amount);
  }

  synchronized boolean isFull() {
    return held == most;
  }

  /// What is held now.
  public synchronized long held() {
    return held;
  }
}
