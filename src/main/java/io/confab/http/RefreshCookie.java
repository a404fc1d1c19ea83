package io.confab.http;

import io.confab.config.TlsMode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The refresh token of a browser, in a cookie that pages cannot read (RFC 6265). The browser sends
/// it only with calls about tokens, and it counts only beside a header that pages of other sites
/// cannot set.
///
/// @param ttl life of the token
/// @param tls who speaks TLS with clients: also where a proxy does, the cookie is for TLS alone
record RefreshCookie(Duration ttl, TlsMode tls) {
  private static final String NAME = "confab_refresh";
  private static final String PATH = "/v1/tokens";
  private static final String OWN_PAGE = "x-confab";

  boolean isIn(Call call) {
    return call.context().request().getCookie(NAME) != null;
  }

  /// The token in the request, which may only show that the browser is known.
  Optional<Secret> shown(Call call) {
    return Optional.ofNullable(call.context().request().getCookie(NAME))
        .map(cookie -> new Secret(cookie.getValue()));
  }

  /// The token in the request. Refusal: `forbidden` without the header `x-confab: 1`.
  Optional<Secret> read(Call call) {
    Cookie cookie = call.context().request().getCookie(NAME);
    if (cookie == null) {
      return Optional.empty();
    }
    if (!call.headers(OWN_PAGE).equals(List.of("1"))) {
      throw new Refusal(ErrorCode.FORBIDDEN, "the cookie needs the header x-confab: 1");
    }
    return Optional.of(new Secret(cookie.getValue()));
  }

  void set(Call call, Secret token) {
    put(call, token.value(), ttl);
  }

  /// Makes the client drop the cookie, if it sent one.
  void clear(Call call) {
    if (isIn(call)) {
      put(call, "", Duration.ZERO);
    }
  }

  private void put(Call call, String value, Duration life) {
    call.context()
        .response()
        .addCookie(
            Cookie.cookie(NAME, value)
                .setHttpOnly(true)
                .setSameSite(CookieSameSite.STRICT)
                .setSecure(tls != TlsMode.NONE)
                .setPath(PATH)
                .setMaxAge(life.toSeconds()));
  }
}
