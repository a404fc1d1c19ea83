package io.confab.socket;

/// What the watches of one event loop take of memory, by what each part of them takes at most.
/// Belongs to its loop.
///
/// One account may fill half of it. Beyond that it gets nothing more unless it has less than its
/// share, so a few accounts with many sessions leave something to all others.
final class WatchMemory {
  /// An account as one session watches it ([Sighting]): its places among those of the session, of
  /// the account and of those that wait for a look, and what was told, whose text is shared.
  static final int SIGHTING = 256;

  /// An account that is watched, or watches ([WatchedAccount]), with its text and its subscription.
  static final int ACCOUNT = 1_536;

  /// A room as one session watches it, with its place among those that wait for a look.
  static final int ROOM = 512;

  /// A member of a room that is watched ([WatchedRoom]).
  static final int MEMBER = 128;

  /// Counted of the account that watches: perhaps nobody else watches the same one.
  static final int OWN = SIGHTING + ACCOUNT;

  private static final int SHARES = 16;

  private final long most;
  private long taken;

  /// @param most bytes
  WatchMemory(long most) {
    this.most = most;
  }

  void take(long bytes) {
    taken += bytes;
  }

  void give(long bytes) {
    taken -= bytes;
  }

  long taken() {
    return taken;
  }

  /// Whether there is room for more.
  ///
  /// @param own what the account that watches would have with it
  boolean fits(long more, long own) {
    long then = taken + more;
    return more <= 0 || (then <= most && (then <= most / 2 || own <= most / SHARES));
  }
}
