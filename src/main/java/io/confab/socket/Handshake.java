package io.confab.socket;

import io.confab.account.outside.Bearer;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.Requests;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.listener.ClientAddress;
import io.confab.listener.TrustedProxies;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.ServerWebSocketHandshake;
import java.util.List;
import java.util.Optional;

/// Decides about upgrades. What costs least is looked at first: the version, the path, the page
/// behind it, its address, and only then whose token it is.
final class Handshake {
  private static final String BEARER = "Bearer ";
  private static final String VERSION = "13";
  private static final int NOT_FOUND = 404;
  private static final int FORBIDDEN = 403;
  private static final int UPGRADE_REQUIRED = 426;

  private final Origins origins;
  private final Requests bus;
  private final Limits limits;
  private final TrustedProxies proxies;

  Handshake(Origins origins, Requests bus, Limits limits, TrustedProxies proxies) {
    this.origins = origins;
    this.bus = bus;
    this.limits = limits;
    this.proxies = proxies;
  }

  /// The HTTP status of a refusal that needs nobody to be asked.
  Optional<Integer> refusal(ServerWebSocketHandshake upgrade) {
    // Vert.x takes the drafts before RFC 6455 too, which have other frames.
    if (!List.of(VERSION).equals(upgrade.headers().getAll("sec-websocket-version"))) {
      return Optional.of(UPGRADE_REQUIRED);
    }
    if (!SocketEndpoint.PATH.equals(upgrade.path())) {
      return Optional.of(NOT_FOUND);
    }
    if (!origins.allow(upgrade.headers().getAll(HttpHeaders.ORIGIN), upgrade.localAddress())) {
      return Optional.of(FORBIDDEN);
    }
    return admission(upgrade);
  }

  /// The address that an upgrade comes from.
  ClientAddress address(ServerWebSocketHandshake upgrade) {
    return proxies.client(upgrade.remoteAddress().hostAddress(), upgrade.headers()::getAll);
  }

  private Optional<Integer> admission(ServerWebSocketHandshake upgrade) {
    try {
      limits.take(Limit.UPGRADES, address(upgrade).group());
      return Optional.empty();
    } catch (Refusal tooMany) {
      return Optional.of(tooMany.code().httpStatus());
    }
  }

  /// Who an upgrade says it is, if it says so; whether the sign-in still stands is looked up when
  /// the session begins. Refusals: `unauthorized`, `token_expired`,
  /// `unavailable`.
  Future<Optional<Bearer>> bearer(ServerWebSocketHandshake upgrade) {
    String authorization = upgrade.headers().get(HttpHeaders.AUTHORIZATION);
    if (authorization == null) {
      return Future.succeededFuture(Optional.empty());
    }
    if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "not a bearer token"));
    }
    Secret token = new Secret(authorization.substring(BEARER.length()));
    return bus.request(new BearerCommand.Read(token)).map(Optional::of);
  }
}
