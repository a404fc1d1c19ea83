package io.confab.redis;

/// Tells by beats of its own that a connection carries nothing any more: three of them in a row
/// with nothing heard in between.
final class SilentBeats {
  private static final int MOST = 3;

  private boolean heard = true;
  private int silent;

  /// The connection is new.
  void begin() {
    heard = true;
    silent = 0;
  }

  void heard() {
    heard = true;
  }

  /// To be asked once a beat, before it is sent.
  boolean areTooMany() {
    silent = heard ? 0 : silent + 1;
    heard = false;
    return silent >= MOST;
  }
}
