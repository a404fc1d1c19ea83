package io.confab.redis;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Where one Redis server is and who logs in: `redis://user:password@host:port/database`, of which
/// only the host is needed. Its text form hides the password.
///
/// @param user empty: the default user
/// @param password empty: the server asks for none
public record RedisUrl(String host, int port, int database, String user, String password) {
  private static final int DEFAULT_PORT = 6379;

  /// Reads the URL form; user and password are percent-encoded.
  public static RedisUrl parse(String text) {
    URI uri = URI.create(text);
    if (!"redis".equals(uri.getScheme())) {
      throw new IllegalArgumentException("must begin with redis://");
    }
    String[] login = Optional.ofNullable(uri.getRawUserInfo()).orElse("").split(":", 2);
    return new RedisUrl(
        Optional.ofNullable(uri.getHost()).orElse("127.0.0.1"),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        database(Optional.ofNullable(uri.getPath()).orElse("")),
        decode(login[0]),
        login.length > 1 ? decode(login[1]) : "");
  }

  private static int database(String path) {
    String number = path.startsWith("/") ? path.substring(1) : path;
    if (!number.matches("[0-9]{0,5}")) {
      throw new IllegalArgumentException("the database must be a number");
    }
    return number.isEmpty() ? 0 : Integer.parseInt(number);
  }

  /// The URL form that [#parse(String)] reads, password included.
  public String text() {
    return "redis://%s:%s@%s:%d/%d".formatted(encode(user), encode(password), host, port, database);
  }

  /// The address without the login.
  String address() {
    return "redis://" + host + ":" + port + "/" + database;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "redis://" + user + ":***@" + host + ":" + port + "/" + database;
  }
}
