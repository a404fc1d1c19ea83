package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.Refreshed;
import io.confab.account.AccountCommand.Replayed;
import io.confab.account.AccountCommand.Tokens;
import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Fields;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Signing in and out, and tickets.
final class TokenRoutes {
  private final Bus bus;
  private final RefreshCookie cookie;
  private final PasswordCalls passwords;

  TokenRoutes(Bus bus, RefreshCookie cookie, PasswordCalls passwords) {
    this.bus = bus;
    this.cookie = cookie;
    this.passwords = passwords;
  }

  void mount(Routes routes) {
    routes.open(POST, "/v1/tokens", Limit.SIGN_INS, this::signIn);
    routes.open(POST, "/v1/tokens/refresh", Limit.REFRESHES, this::refresh);
    routes.bySignIn(DELETE, "/v1/tokens", Limit.WRITES, this::signOut);
    routes.onDevice(POST, "/v1/tickets", Limit.TICKETS, this::issueTicket);
  }

  private Supplier<Future<Answer>> signIn(Call call) {
    Fields fields = call.body();
    String handle = fields.text("handle");
    Secret password = new Secret(fields.text("password"));
    Fields device = fields.optionalObject("device");
    boolean inCookie = fields.flag("cookie");
    fields.end();
    SecurityWatch.handle(call, handle);
    DeviceInfo told = device == null ? null : DeviceInfo.read(device);
    return () ->
        passwords
            .signIn(call.address(), handle, password, told, cookie.shown(call))
            .map(tokens -> inCookie ? inCookie(call, tokens) : tokens(tokens));
  }

  private Supplier<Future<Answer>> refresh(Call call) {
    Fields fields = cookie.isIn(call) ? call.optionalBody() : call.body();
    Optional<Secret> kept = fields.has("refresh_token") ? Optional.empty() : cookie.read(call);
    Secret token = kept.orElseGet(() -> new Secret(fields.text("refresh_token")));
    fields.end();
    return () ->
        bus.request(new AccountCommand.Refresh(token, call.address().group()))
            .map(refreshed -> unspent(call, refreshed))
            .map(tokens -> kept.isPresent() ? inCookie(call, tokens) : tokens(tokens));
  }

  private static Tokens unspent(Call call, Refreshed refreshed) {
    return switch (refreshed) {
      case Tokens tokens -> tokens;
      case Replayed(AccountId account) -> {
        SecurityWatch.account(call, account);
        throw AccountCommand.wrongRefreshToken();
      }
    };
  }

  private Future<Answer> signOut(Authenticated signIn, Call call) {
    call.requireNoFields();
    return bus.request(new AccountCommand.SignOut(signIn, cookie.shown(call).orElse(null)))
        .map(
            signedOut -> {
              if (signedOut.over()) {
                cookie.clear(call);
              }
              return Answer.noContent();
            });
  }

  private Future<Answer> issueTicket(Caller caller, Call call) {
    call.requireNoFields();
    return bus.request(new AccountCommand.IssueTicket(caller))
        .map(
            issued ->
                Answer.ok(new Ticket(issued.ticket().value(), issued.expiresIn().toSeconds())));
  }

  private Answer inCookie(Call call, Tokens tokens) {
    cookie.set(call, tokens.refreshToken());
    return answer(tokens, null);
  }

  static Answer tokens(Tokens tokens) {
    return answer(tokens, tokens.refreshToken().value());
  }

  private static Answer answer(Tokens tokens, @Nullable String refreshToken) {
    return Answer.ok(
        new TokenPair(
            tokens.accessToken().value(),
            refreshToken,
            tokens.expiresIn().toSeconds(),
            tokens.accountId(),
            tokens.deviceId()));
  }

  /// The secrets of an answer in plain text: a client sees them only here.
  record TokenPair(
      String accessToken,
      @Nullable String refreshToken,
      long expiresInS,
      AccountId accountId,
      DeviceId deviceId) {}

  record Ticket(String ticket, long expiresInS) {}
}
