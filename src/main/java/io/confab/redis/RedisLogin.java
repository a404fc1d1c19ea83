package io.confab.redis;

import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.List;

/// How to log in to a server: user, password, database, and whether by TLS. Its text form hides
/// the password.
///
/// @param user empty: the default user
/// @param password empty: the server asks for none
/// @param tls checked against the certificates that the JVM trusts
record RedisLogin(String user, String password, int database, boolean tls) {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /// How long bytes may stay unacknowledged by the server's TCP (native transport only).
  private static final int UNACKNOWLEDGED_MS = 5_000;

  /// How errors of a server begin that are about the login.
  private static final List<String> NO_LOGIN = List.of("WRONGPASS", "NOAUTH", "NOPERM");

  /// Of a client with one connection, on which so many commands may be under way.
  RedisOptions options(RedisServer server, int inFlight) {
    NetClientOptions net =
        new NetClientOptions()
            .setTcpKeepAlive(true)
            .setTcpUserTimeout(UNACKNOWLEDGED_MS)
            .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
    if (tls) {
      net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
    }
    RedisOptions options =
        new RedisOptions()
            .setConnectionString((tls ? "rediss://" : "redis://") + server + path())
            .setPreferredProtocolVersion(ProtocolVersion.RESP3)
            .setMaxWaitingHandlers(inFlight)
            .setMaxPoolSize(1)
            .setMaxPoolWaiting(1)
            .setPoolCleanerInterval(-1)
            .setNetClientOptions(net);
    if (!password.isEmpty()) {
      options.setPassword(password);
    }
    if (!user.isEmpty()) {
      options.setUser(user);
    }
    return options;
  }

  /// Why a connection failed, with where to look if it is for the login.
  static String explain(String failure) {
    return NO_LOGIN.stream().anyMatch(failure::startsWith)
        ? failure.replaceFirst("\\.?$", ". See user and password in redis.url")
        : failure;
  }

  /// A sentinel knows no databases, not even 0.
  private String path() {
    return database == 0 ? "" : "/" + database;
  }

  @Override
  public String toString() {
    return user + ":***/" + database + (tls ? " by TLS" : "");
  }
}
