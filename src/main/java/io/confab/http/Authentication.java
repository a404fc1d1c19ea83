package io.confab.http;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.ReadStanding;
import io.confab.account.AccountCommand.Standing;
import io.confab.account.ServerRole;
import io.confab.bus.Bus;
import io.confab.bus.Lane;
import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/// Finds out who calls: by the access token in `Authorization: Bearer`, or by the server API key
/// in `Authorization: Key`, which may name in `x-confab-as` for whom.
///
/// All its methods refuse with `unauthorized`, also for a missing or malformed header, and
/// `token_expired`.
final class Authentication {
  private static final String BEARER = "Bearer ";
  private static final String KEY = "Key ";
  private static final String ACT_AS = "x-confab-as";

  private final Bus bus;
  private final Optional<Secret> apiKey;

  Authentication(Bus bus, Optional<Secret> apiKey) {
    this.bus = bus;
    this.apiKey = apiKey;
  }

  /// For whom the call is. Refusal: `forbidden` for the API key in its own name.
  Future<AccountId> account(Call call) {
    return identify(call)
        .map(
            identity ->
                switch (identity) {
                  case Identity.OnDevice(Caller caller) -> caller.account();
                  case Identity.ActingFor(AccountId account) -> account;
                  case Identity.Backend _ -> throw forbidden("the API key must name an account");
                });
  }

  /// The device that calls. Refusal: `forbidden` for the API key.
  Future<Caller> device(Call call) {
    return identify(call)
        .map(
            identity ->
                switch (identity) {
                  case Identity.OnDevice(Caller caller) -> caller;
                  case Identity.ActingFor _, Identity.Backend _ ->
                      throw forbidden("not for the API key");
                });
  }

  /// Done when the caller may run the server: the API key, or a server admin. Refusal:
  /// `forbidden`.
  Future<Void> administrator(Call call) {
    return identify(call)
        .compose(
            identity ->
                switch (identity) {
                  case Identity.OnDevice(Caller caller) -> requireAdmin(caller.account());
                  case Identity.ActingFor(AccountId account) -> requireAdmin(account);
                  case Identity.Backend _ -> Future.succeededFuture();
                });
  }

  /// For calls that need nobody to be signed in. Refusal: `forbidden` for the API key.
  Future<Void> anybody(Call call) {
    return call.authorization().stream().anyMatch(header -> hasScheme(header, KEY))
        ? device(call).mapEmpty()
        : Future.succeededFuture();
  }

  private Future<Identity> identify(Call call) {
    List<String> authorization = call.authorization();
    List<String> actAs = call.headers(ACT_AS);
    if (authorization.size() != 1) {
      throw unauthorized();
    }
    String header = authorization.getFirst();
    if (hasScheme(header, BEARER)) {
      if (!actAs.isEmpty()) {
        throw forbidden("only the API key acts for others");
      }
      return byToken(header.substring(BEARER.length()).strip());
    }
    if (hasScheme(header, KEY) && isApiKey(header.substring(KEY.length()).strip())) {
      return actAs.isEmpty()
          ? Future.succeededFuture(new Identity.Backend())
          : actingFor(account(actAs));
    }
    throw unauthorized();
  }

  private static boolean hasScheme(String header, String scheme) {
    return header.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private Future<Identity> byToken(String token) {
    return bus.request(
            AccountCommand.ADDRESS,
            Lane.of(token.hashCode()),
            new AccountCommand.Authenticate(new Secret(token)))
        .map(signIn -> new Identity.OnDevice(signIn.caller()));
  }

  /// Takes the same time for every wrong key.
  private boolean isApiKey(String given) {
    byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
    return apiKey
        .map(key -> MessageDigest.isEqual(key.value().getBytes(StandardCharsets.UTF_8), bytes))
        .orElse(false);
  }

  private static AccountId account(List<String> actAs) {
    try {
      if (actAs.size() == 1) {
        return AccountId.parse(actAs.getFirst());
      }
    } catch (Refusal _) {
      // no id: refused below
    }
    throw Refusal.invalidField(ACT_AS, "must be one account_id");
  }

  private Future<Identity> actingFor(AccountId account) {
    return standing(account)
        .map(
            standing -> {
              if (standing.suspended()) {
                throw forbidden("the account is suspended");
              }
              return new Identity.ActingFor(account);
            });
  }

  private Future<Void> requireAdmin(AccountId account) {
    return standing(account)
        .map(
            standing -> {
              if (standing.role() != ServerRole.ADMIN) {
                throw forbidden("only for server admins");
              }
              return null;
            });
  }

  private Future<Standing> standing(AccountId account) {
    return bus.request(AccountCommand.ADDRESS, Lane.of(account.value()), new ReadStanding(account));
  }

  private static Refusal unauthorized() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "an access token is needed");
  }

  private static Refusal forbidden(String detail) {
    return new Refusal(ErrorCode.FORBIDDEN, detail);
  }
}
