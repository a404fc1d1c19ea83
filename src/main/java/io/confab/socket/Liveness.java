package io.confab.socket;

import io.confab.config.Config;
import java.time.Duration;

/// When the last frame of a session came, and what is to be done about silence (RFC 6455 §5.5.2).
final class Liveness {
  enum Verdict {
    FINE,
    PING,
    DEAD,
    /// No valid `hello` in time.
    STRANGER
  }

  private final Config.Sockets limits;
  private final long opened;
  private long lastBeat;
  private long lastPing;

  Liveness(Config.Sockets limits, long now) {
    this.limits = limits;
    this.opened = now;
    this.lastBeat = now;
    this.lastPing = now;
  }

  void beat(long now) {
    lastBeat = now;
  }

  Verdict judge(long now, boolean greeted) {
    if (!greeted && now - opened > limits.helloTimeout().toNanos()) {
      return Verdict.STRANGER;
    }
    if (now - lastBeat > limits.beatTimeout().toNanos()) {
      return Verdict.DEAD;
    }
    if (now - lastPing >= limits.pingInterval().toNanos()) {
      lastPing = now;
      return Verdict.PING;
    }
    return Verdict.FINE;
  }

  /// How long nothing can be due.
  Duration quiet(long now, boolean greeted) {
    long quiet =
        Math.min(
            lastBeat + limits.beatTimeout().toNanos() - now,
            lastPing + limits.pingInterval().toNanos() - now);
    if (!greeted) {
      quiet = Math.min(quiet, opened + limits.helloTimeout().toNanos() - now);
    }
    return Duration.ofNanos(Math.max(0, quiet));
  }
}
