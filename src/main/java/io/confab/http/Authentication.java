package io.confab.http;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.outside.BearerCommand;
import io.confab.account.outside.BearerCommand.Identified;
import io.confab.account.outside.BearerCommand.Identify;
import io.confab.account.outside.BearerCommand.IdentifyDevice;
import io.confab.bus.Bus;
import io.confab.bus.BusMessage;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/// Finds out who calls, by the access token in `Authorization: Bearer`.
final class Authentication {
  private static final String SCHEME = "Bearer ";

  private final Bus bus;

  Authentication(Bus bus) {
    this.bus = bus;
  }

  /// The account of the caller. Refusals: `unauthorized`, also for a missing or malformed
  /// header, and `token_expired`.
  Future<AccountId> account(List<String> authorization) {
    return ask(authorization, Identify::new).map(Identified::account);
  }

  /// The caller with its device. Refusals: as [#account], and `forbidden` for one who is on no
  /// device of ours.
  Future<Caller> caller(List<String> authorization) {
    return ask(authorization, IdentifyDevice::new).map(Authenticated::caller);
  }

  private <R extends BusMessage> Future<R> ask(
      List<String> authorization, Function<Secret, BearerCommand<R>> question) {
    Secret token = new Secret(token(authorization));
    return bus.request(BearerCommand.ADDRESS, Lane.of(token.hashCode()), question.apply(token));
  }

  private static String token(List<String> authorization) {
    if (authorization.size() != 1
        || !authorization.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, "an access token is needed");
    }
    return authorization.getFirst().substring(SCHEME.length()).strip();
  }
}
