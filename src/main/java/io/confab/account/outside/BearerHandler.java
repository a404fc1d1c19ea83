package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.Authentication;
import io.confab.account.outside.BearerCommand.Admit;
import io.confab.account.outside.BearerCommand.Identified;
import io.confab.account.outside.BearerCommand.Identify;
import io.confab.account.outside.BearerCommand.IdentifyDevice;
import io.confab.account.outside.BearerCommand.Read;
import io.confab.bus.BusMessage;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.time.Duration;

/// Answers who bears a token, be it ours or that of an outside issuer. May be used from any
/// event loop.
public final class BearerHandler {
  /// How long an outside token is good beyond its end: clocks differ.
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  private final Authentication ours;
  private final OutsideTokens tokens;
  private final OutsideAccounts accounts;

  public BearerHandler(Authentication ours, OutsideTokens tokens, OutsideAccounts accounts) {
    this.ours = ours;
    this.tokens = tokens;
    this.accounts = accounts;
  }

  /// The answer that the command's type names, or a refusal.
  public Future<? extends BusMessage> handle(BearerCommand<?> command) {
    return switch (command) {
      case Identify(var token) -> identify(token);
      case IdentifyDevice(var token) -> identifyDevice(token);
      case Read(var token) -> read(token);
      case Admit(var token, var device) -> accounts.admit(token, device);
    };
  }

  private Future<Identified> identify(Secret token) {
    return tokens
        .find(token)
        .map(
            outside ->
                tokens
                    .verify(outside, LEEWAY)
                    .compose(accounts::identify)
                    .map(account -> new Identified(account, null)))
        .orElseGet(
            () ->
                ours.byAccessToken(token)
                    .map(signIn -> new Identified(signIn.caller().account(), signIn)));
  }

  private Future<Authenticated> identifyDevice(Secret token) {
    return tokens
        .find(token)
        .map(
            outside ->
                tokens
                    .verify(outside, LEEWAY)
                    .<Authenticated>compose(_ -> Future.failedFuture(needsDevice())))
        .orElseGet(() -> ours.byAccessToken(token));
  }

  private static Refusal needsDevice() {
    return new Refusal(
        ErrorCode.FORBIDDEN,
        "this needs a token of this server, which is bound to a device; that of an outside issuer"
            + " is not");
  }

  private Future<Bearer> read(Secret token) {
    return tokens
        .find(token)
        .map(outside -> tokens.verify(outside, Bearer.GRACE).<Bearer>map(Bearer.Outside::new))
        .orElseGet(() -> ours.read(token).map(Bearer.OnDevice::new));
  }
}
