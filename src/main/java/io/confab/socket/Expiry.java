package io.confab.socket;

import io.confab.account.outside.Bearer;
import io.confab.account.outside.OutsideToken;
import io.confab.protocol.Refusal;
import io.confab.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The end of a session that goes on by an outside token: its `exp` and 25 s, unless the client
/// brings a later one of the same identity. Belongs to one event loop.
///
/// It looks at the clock anew every few seconds: timers stand still with the process, and an
/// `exp` may lie beyond every timer.
final class Expiry {
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Timers timers;
  private final InstantSource clock;
  private final Runnable over;
  private OutsideToken token;
  private boolean closed;

  /// @param over called once, when the token is over
  Expiry(OutsideToken token, Timers timers, InstantSource clock, Runnable over) {
    this.token = token;
    this.timers = timers;
    this.clock = clock;
    this.over = over;
  }

  /// Begins to watch; what is over already is told after the next tick.
  void begin() {
    Duration left = Duration.between(clock.instant(), end());
    timers.after(left.compareTo(LOOK) < 0 ? left : LOOK, this::look);
  }

  private void look() {
    if (closed) {
      return;
    }
    if (clock.instant().isBefore(end())) {
      begin();
    } else {
      closed = true;
      over.run();
    }
  }

  private Instant end() {
    return Instant.ofEpochSecond(token.expiresAt()).plus(Bearer.GRACE);
  }

  /// Takes a token in; one that ends sooner changes nothing. Answers how long it is good. Refusal:
  /// `invalid_field` for that of anybody else.
  Duration renew(Bearer bearer) {
    return switch (bearer) {
      case Bearer.Outside(OutsideToken newer) when newer.identity().equals(token.identity()) ->
          taken(newer);
      case Bearer.Outside _, Bearer.OnDevice _ ->
          throw Refusal.invalidField("token", "is of another identity");
    };
  }

  private Duration taken(OutsideToken newer) {
    if (newer.expiresAt() > token.expiresAt()) {
      token = newer;
    }
    long left = newer.expiresAt() - clock.instant().getEpochSecond();
    return Duration.ofSeconds(Math.max(0, left));
  }

  void close() {
    closed = true;
  }
}
