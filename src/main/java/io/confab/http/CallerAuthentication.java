package io.confab.http;

import io.confab.account.AccountCommand.AccountStatus;
import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.AccountCommand.ReadStatus;
import io.confab.account.ServerRole;
import io.confab.account.outside.BearerCommand.Identify;
import io.confab.account.outside.BearerCommand.IdentifyDevice;
import io.confab.bus.Bus;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/// Finds the caller: by the access token in `Authorization: Bearer`, or by the server API key in
/// `Authorization: Key`, with which `x-confab-as` may name an account.
///
/// All its methods refuse with `unauthorized`, also for a missing or malformed header, and
/// `token_expired`.
final class CallerAuthentication {
  private static final String BEARER = "Bearer ";
  private static final String KEY = "Key ";
  private static final String ACT_AS = "x-confab-as";

  private final Bus bus;
  private final Optional<Secret> apiKey;

  CallerAuthentication(Bus bus, Optional<Secret> apiKey) {
    this.bus = bus;
    this.apiKey = apiKey;
  }

  /// The account that the call is for. Refusal: `forbidden` for the API key in its own name.
  Future<Admitted<AccountId>> account(Call call) {
    return switch (credential(call)) {
      case Credential.Token(Secret token) -> account(token);
      case Credential.ActingFor(AccountId account) -> actingFor(account).map(this::admitted);
      case Credential.Backend _ -> throw forbidden("the API key must name an account");
    };
  }

  /// The account of a token, ours or of an outside issuer. Refusal: `forbidden` for the API key.
  Future<Admitted<AccountId>> bearer(Call call) {
    return switch (credential(call)) {
      case Credential.Token(Secret token) -> account(token);
      case Credential.ActingFor _, Credential.Backend _ -> throw forbidden("not for the API key");
    };
  }

  /// The device that calls. Refusal: `forbidden` for the API key, and for a token that is bound to
  /// no device.
  Future<Admitted<Caller>> device(Call call) {
    return signIn(call).map(by -> new Admitted<>(by.who().caller(), by.account(), by.stands()));
  }

  /// The sign-in by which a device calls. Refusals: those of [#device].
  Future<Admitted<Authenticated>> signIn(Call call) {
    return switch (credential(call)) {
      case Credential.Token(Secret token) -> signIn(token);
      case Credential.ActingFor _, Credential.Backend _ -> throw forbidden("not for the API key");
    };
  }

  /// Succeeds for the API key and for a server admin on a device. Refusal: `forbidden`.
  Future<Void> administrator(Call call) {
    return switch (credential(call)) {
      case Credential.Token(Secret token) ->
          signIn(token)
              .map(Admitted::account)
              .onSuccess(account -> SecurityWatch.caller(call, account))
              .compose(this::requireAdmin)
              .onSuccess(_ -> SecurityWatch.admitted(call));
      case Credential.ActingFor(AccountId account) ->
          actingFor(account)
              .onSuccess(known -> SecurityWatch.caller(call, account))
              .compose(this::requireAdmin);
      case Credential.Backend _ -> Future.succeededFuture();
    };
  }

  /// Succeeds for the API key in its own name. Refusal: `forbidden`.
  Future<Void> backend(Call call) {
    return switch (credential(call)) {
      case Credential.Token(Secret token) ->
          signIn(token).compose(_ -> Future.failedFuture(forbidden("only for the API key")));
      case Credential.ActingFor _ -> throw forbidden("only for the API key in its own name");
      case Credential.Backend _ -> Future.succeededFuture();
    };
  }

  /// Succeeds for callers who are not signed in. Refusal: `forbidden` for the API key.
  Future<Void> anybody(Call call) {
    return isByKey(call.context()) ? device(call).mapEmpty() : Future.succeededFuture();
  }

  private Credential credential(Call call) {
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
      return new Credential.Token(new Secret(header.substring(BEARER.length()).strip()));
    }
    if (hasScheme(header, KEY) && isApiKey(header.substring(KEY.length()).strip())) {
      SecurityWatch.admitted(call);
      return actAs.isEmpty() ? new Credential.Backend() : new Credential.ActingFor(account(actAs));
    }
    throw unauthorized();
  }

  /// Whether a request bears an API key, right or wrong.
  static boolean isByKey(RoutingContext context) {
    return context.request().headers().getAll(HttpHeaders.AUTHORIZATION).stream()
        .anyMatch(header -> hasScheme(header, KEY));
  }

  private static boolean hasScheme(String header, String scheme) {
    return header.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private Future<Admitted<AccountId>> account(Secret token) {
    return bus.request(new Identify(token))
        .map(
            found -> {
              Authenticated signIn = found.signIn();
              return signIn == null
                  ? admitted(found.account())
                  : new Admitted<>(found.account(), found.account(), () -> stands(signIn));
            });
  }

  private Future<Admitted<Authenticated>> signIn(Secret token) {
    return bus.request(new IdentifyDevice(token))
        .map(signIn -> new Admitted<>(signIn, signIn.caller().account(), () -> stands(signIn)));
  }

  private Future<?> stands(Authenticated signIn) {
    return bus.request(new FindEnded(List.of(signIn)))
        .map(
            ended -> {
              if (!ended.signIns().isEmpty()) {
                throw unauthorized();
              }
              return ended;
            });
  }

  /// Somebody without a sign-in of ours.
  private Admitted<AccountId> admitted(AccountId account) {
    return new Admitted<>(account, account, () -> actingFor(account));
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

  private Future<AccountId> actingFor(AccountId account) {
    return status(account)
        .map(
            status -> {
              if (status.suspended()) {
                throw forbidden("the account is suspended");
              }
              return account;
            });
  }

  private Future<Void> requireAdmin(AccountId account) {
    return status(account)
        .map(
            status -> {
              if (status.role() != ServerRole.ADMIN) {
                throw forbidden("only for server admins");
              }
              return null;
            });
  }

  private Future<AccountStatus> status(AccountId account) {
    return bus.request(new ReadStatus(account));
  }

  private static Refusal unauthorized() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "an access token is needed");
  }

  private static Refusal forbidden(String detail) {
    return new Refusal(ErrorCode.FORBIDDEN, detail);
  }
}
