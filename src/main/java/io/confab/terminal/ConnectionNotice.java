package io.confab.terminal;

import io.confab.client.ConnectionState;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.time.Duration;
import java.util.Optional;

/// Shows that the connection is lost, how long until the next try, and that it is back.
final class ConnectionNotice {
  private static final long NANOS = 1_000_000_000;

  private final Screen screen;
  private ConnectionState state = ConnectionState.CONNECTING;
  private String why = "";
  private long nextTry;
  private boolean lost;

  ConnectionNotice(Screen screen) {
    this.screen = screen;
  }

  void changed(ConnectionState now, String reason, Duration retryIn) {
    state = now;
    why = Plain.line(reason);
    nextTry = System.nanoTime() + retryIn.toNanos();
    switch (now) {
      case CONNECTING -> {}
      case LIVE -> {
        if (lost) {
          screen.line("* connected again");
        }
        lost = false;
      }
      case WAITING -> {
        if (!lost || !screen.isTerminal()) {
          screen.line("* not connected: " + why + left());
        }
        lost = true;
      }
      case STOPPED -> {
        if (!why.isEmpty()) {
          screen.line("* the connection has ended: " + why);
        }
      }
    }
  }

  /// What the status says of the connection now; empty when all is well.
  Optional<String> now() {
    if (state == ConnectionState.WAITING) {
      return Optional.of("not connected" + left());
    }
    return lost && state == ConnectionState.CONNECTING
        ? Optional.of("connecting …")
        : Optional.empty();
  }

  private String left() {
    long seconds = Math.max(0, (nextTry - System.nanoTime() + NANOS - 1) / NANOS);
    return seconds == 0 ? "; trying again" : "; trying again in " + seconds + " s";
  }
}
