package io.confab.postgres;

import io.vertx.pgclient.PgConnectOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Where a PostgreSQL database is and who logs in:
/// `postgresql://user:password@host:port/database?sslmode=verify-full&sslrootcert=FILE`. Its text
/// form hides the password.
///
/// @param tls by which the server proves who it is; null for a connection in the clear
public record PostgresUrl(
    String host,
    int port,
    String database,
    String user,
    String password,
    @Nullable PostgresTls tls) {
  /// How long a question takes at most, over JDBC.
  public static final Duration QUESTION = Duration.ofSeconds(10);

  private static final int DEFAULT_PORT = 5432;
  private static final int REACH_SECONDS = 2;
  private static final int LOGIN_SECONDS = 10;

  /// What every connection sets. PostgreSQL compiles a plan at each execution if it takes the plan
  /// for costly, which costs seconds; none of the statements here runs for long enough to gain it
  /// back.
  private static final Map<String, String> SETTINGS = Map.of("jit", "off");

  /// In the clear.
  public PostgresUrl(String host, int port, String database, String user, String password) {
    this(host, port, database, user, password, null);
  }

  /// Reads the URL form; user and password are percent-encoded.
  public static PostgresUrl parse(String text) {
    URI uri = uri(text);
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("");
    if (!scheme.equals("postgresql") && !scheme.equals("postgres")) {
      throw new IllegalArgumentException("must begin with postgresql://");
    }
    String[] login = Optional.ofNullable(uri.getRawUserInfo()).orElse("postgres").split(":", 2);
    return new PostgresUrl(
        Optional.ofNullable(uri.getHost()).orElse("127.0.0.1"),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        Optional.ofNullable(uri.getPath())
            .filter(p -> p.length() > 1)
            .orElse("/confab")
            .substring(1),
        decode(login[0]),
        login.length > 1 ? decode(login[1]) : "",
        PostgresTls.of(parameters(uri)).orElse(null));
  }

  /// Says what is wrong without the text, as a password may stand in it.
  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "is no URL from character " + (e.getIndex() + 1) + " on; are user and password encoded?");
    }
  }

  private static Map<String, String> parameters(URI uri) {
    Map<String, String> parameters = new TreeMap<>();
    String query = uri.getRawQuery();
    for (String part : query == null ? new String[0] : query.split("&")) {
      String[] pair = part.split("=", 2);
      String value = pair.length > 1 ? decode(pair[1]) : "";
      if (parameters.put(decode(pair[0]), value) != null) {
        throw new IllegalArgumentException("names " + pair[0] + " twice");
      }
    }
    return parameters;
  }

  /// Reads the files that the URL names, as every connection does.
  ///
  /// @throws IllegalArgumentException when one cannot be used
  public void requireFiles() {
    if (tls != null) {
      tls.requireUsable();
    }
  }

  /// The same server and login, another database.
  public PostgresUrl withDatabase(String other) {
    return new PostgresUrl(host, port, other, user, password, tls);
  }

  /// The URL form that [#parse(String)] reads, password included.
  public String text() {
    return "postgresql://%s:%s@%s:%d/%s%s"
        .formatted(encode(user), encode(password), host, port, database, query());
  }

  /// For JDBC; user and password are given apart from it.
  ///
  /// @param silence how long a server may say nothing while it is waited for
  String jdbc(Duration silence) {
    String settings =
        SETTINGS.entrySet().stream()
            .map(setting -> "-c " + setting.getKey() + "=" + setting.getValue())
            .collect(Collectors.joining(" "));
    return "jdbc:postgresql://%s:%d/%s%soptions=%s&connectTimeout=%d&loginTimeout=%d&socketTimeout=%d&tcpKeepAlive=true"
        .formatted(
            host,
            port,
            database,
            tls == null ? "?" : tls.query() + "&",
            encode(settings),
            REACH_SECONDS,
            LOGIN_SECONDS,
            silence.toSeconds());
  }

  /// A connection of JDBC, for what comes before there is an event loop. Blocks.
  ///
  /// @param silence how long a server may say nothing while it is waited for
  public Connection connect(Duration silence) throws SQLException {
    return DriverManager.getConnection(jdbc(silence), user, password);
  }

  private String query() {
    return tls == null ? "" : tls.query();
  }

  PgConnectOptions connectOptions() {
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(host)
            .setPort(port)
            .setDatabase(database)
            .setUser(user)
            .setPassword(password)
            .setProperties(new HashMap<>(SETTINGS));
    if (tls != null) {
      tls.applyTo(options);
    }
    return options;
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "postgresql://" + user + ":***@" + host + ":" + port + "/" + database + query();
  }
}
