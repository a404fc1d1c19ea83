package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/// Reads the tokens of bots. A prefix distinguishes them from access tokens. They are not
/// signed, because they must outlive every signing key.
public final class BotTokens {
  /// The lifetime that is reported for a bot token; it has no end.
  static final Duration FOR_EVER = Duration.ofDays(36_500);

  private static final String PREFIX = "confab-bot-";
  private static final int MAX_LENGTH = 128;

  private final Function<Secret, Future<Optional<Authenticated>>> signIns;

  /// @param signIns the sign-in of a token, if it is known; many may be asked at once
  public BotTokens(Function<Secret, Future<Optional<Authenticated>>> signIns) {
    this.signIns = signIns;
  }

  static boolean isOne(Secret token) {
    return token.value().startsWith(PREFIX) && token.value().length() <= MAX_LENGTH;
  }

  /// A token as its bot gets it.
  static Secret shown(OpaqueToken token) {
    return new Secret(PREFIX + token.text().value());
  }

  /// Whose it is; whether the sign-in still stands is not looked at. Refusal: `unauthorized`.
  Future<Authenticated> find(Secret token) {
    return signIns
        .apply(new Secret(token.value().substring(PREFIX.length())))
        .map(
            found ->
                found.orElseThrow(
                    () -> new Refusal(ErrorCode.UNAUTHORIZED, "the token is not valid")));
  }
}
