package io.confab.http;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Bus;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.List;

/// Finds out who calls, by the access token in `Authorization: Bearer`.
final class Authentication {
  private static final String SCHEME = "Bearer ";

  private final Bus bus;

  Authentication(Bus bus) {
    this.bus = bus;
  }

  /// The caller. Refusals: `unauthorized`, also for a missing or malformed header, and
  /// `token_expired`.
  Future<Caller> caller(List<String> authorization) {
    String token = token(authorization);
    return bus.request(
            AccountCommand.ADDRESS,
            Lane.of(token.hashCode()),
            new AccountCommand.Authenticate(new Secret(token)))
        .map(Authenticated::caller);
  }

  private static String token(List<String> authorization) {
    if (authorization.size() != 1
        || !authorization.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, "an access token is needed");
    }
    return authorization.getFirst().substring(SCHEME.length()).strip();
  }
}
