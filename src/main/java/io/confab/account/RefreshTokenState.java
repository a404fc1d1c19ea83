package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import java.time.Duration;
import java.util.Optional;

/// What is known of a refresh token that somebody presents, and what is to be done with it. A
/// spent token may come again, soon and as often as its answers are lost on the way, because each
/// brings the same successor; coming when that is in use, or late, it is a stolen one (RFC 9700
/// §4.14.2).
///
/// @param current whether its sign-in is the one that the device has now
/// @param spentAgo how long ago it was spent; empty when it was not
/// @param successorUnused whether its successor was made and not yet spent
record RefreshTokenState(
    Authenticated signIn,
    boolean current,
    boolean expired,
    Optional<Duration> spentAgo,
    boolean successorUnused) {
  private static final Duration GRACE = Duration.ofSeconds(60);

  enum Verdict {
    /// Spend it and make its successor.
    ROTATE,
    /// Answer the successor that was made when it was spent.
    REPEAT,
    /// End the sign-in: two parties hold its tokens.
    REVOKE,
    /// It is worth nothing, and tells nothing.
    REFUSE
  }

  Verdict verdict() {
    if (!current || expired) {
      return Verdict.REFUSE;
    }
    return spentAgo.map(this::verdictOnSpent).orElse(Verdict.ROTATE);
  }

  private Verdict verdictOnSpent(Duration ago) {
    boolean lostAnswer = successorUnused && ago.compareTo(GRACE) <= 0;
    return lostAnswer ? Verdict.REPEAT : Verdict.REVOKE;
  }
}
