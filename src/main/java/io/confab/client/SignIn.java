package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The sign-in of this program: how it is kept and renewed. A refresh token that comes after its
/// successor was used looks stolen to the server, so only one renewal is under way at a time, and
/// its tokens are kept before anybody uses them.
final class SignIn implements Authenticator {
  private final HttpCalls calls;
  private final CredentialStore store;
  private @Nullable Future<Credentials> renewal;

  SignIn(HttpCalls calls, CredentialStore store) {
    this.calls = calls;
    this.store = store;
  }

  /// The sign-in that is kept; fails as `unauthorized` when nobody is signed in.
  Future<Credentials> current() {
    return stored(store.load())
        .compose(
            kept ->
                kept.map(Future::succeededFuture)
                    .orElseGet(() -> Future.failedFuture(signedOut("nobody is signed in"))));
  }

  @Override
  public <T> Future<T> call(Function<Secret, Future<T>> call) {
    return current()
        .compose(
            kept ->
                call.apply(bearer(kept))
                    .recover(
                        failure ->
                            isUnauthorized(failure)
                                ? renew(kept.accessToken())
                                    .compose(renewed -> call.apply(bearer(renewed)))
                                : Future.failedFuture(failure)));
  }

  private static Secret bearer(Credentials credentials) {
    return new Secret("Bearer " + credentials.accessToken().value());
  }

  private static boolean isUnauthorized(Throwable failure) {
    return failure instanceof ApiException refusal
        && refusal.status() == ErrorCode.UNAUTHORIZED.httpStatus();
  }

  /// Tokens in place of those that a server refused; fails as `unauthorized` when the sign-in is
  /// over.
  synchronized Future<Credentials> renew(Secret refused) {
    if (renewal != null && !renewal.isComplete()) {
      return renewal;
    }
    Future<Credentials> mine =
        current()
            .compose(
                kept ->
                    kept.accessToken().equals(refused)
                        ? refresh(kept).recover(failure -> renewedElsewhere(failure, kept))
                        : Future.succeededFuture(kept));
    renewal = mine;
    return mine;
  }

  private Future<Credentials> refresh(Credentials kept) {
    HttpAsk ask =
        HttpAsk.repeatable(
            HttpMethod.POST,
            "/v1/tokens/refresh",
            ClientJson.object().put("refresh_token", kept.refreshToken().value()));
    return calls.ask(ask, null).map(SignIn::read).compose(this::keep);
  }

  /// Another program with the same store may have been quicker.
  private Future<Credentials> renewedElsewhere(Throwable failure, Credentials spent) {
    if (!(failure instanceof ApiException refusal && refusal.is(ErrorCode.UNAUTHORIZED))) {
      return Future.failedFuture(failure);
    }
    return current()
        .compose(
            kept ->
                kept.refreshToken().equals(spent.refreshToken())
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture(kept));
  }

  Future<Credentials> keep(Credentials credentials) {
    return stored(store.save(credentials)).map(credentials);
  }

  Future<Void> forget() {
    return stored(store.clear());
  }

  /// The store is the program's own: no server is at fault.
  private static <T> Future<T> stored(Future<T> work) {
    return work.recover(
        failure ->
            Future.failedFuture(
                ApiException.local(ApiException.NOT_KEPT, ApiException.words(failure))));
  }

  static Credentials read(JsonNode tokens) {
    return new Credentials(
        AccountId.parse(tokens.path("account_id").asText()),
        new DeviceId(tokens.path("device_id").asText()),
        new Secret(tokens.path("access_token").asText()),
        new Secret(tokens.path("refresh_token").asText()));
  }

  private static ApiException signedOut(String why) {
    return ApiException.local(ErrorCode.UNAUTHORIZED.wire(), why);
  }
}
