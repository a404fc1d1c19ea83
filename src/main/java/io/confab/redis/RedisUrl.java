package io.confab.redis;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where Redis is and who logs in, in one of three forms, of which user, password and ports may be
/// left out:
/// - `redis://user:password@host:port/database`: one server;
/// - `redis+sentinel://user:password@host:port,host:port/database?master=name`: the sentinels
///   listed know the master; `sentinel_user` and `sentinel_password` are for themselves;
/// - `redis+cluster://user:password@host:port,host:port`: some servers of a cluster.
///
/// All of them take `script_user` and `script_password`, for the user who loads scripts where the
/// other may not. With `rediss` in place of `redis` all connections use TLS. What stands in a
/// part is percent-encoded. The text form of this class hides passwords.
public final class RedisUrl {
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final Pattern FORM =
      Pattern.compile(
          "(rediss?)(\\+sentinel|\\+cluster)?://(?:([^@/?#\\s]*)@)?([^@/?#\\s]+)"
              + "(?:/([^?#\\s]*))?(?:\\?([^#\\s]*))?");
  private static final Pattern SERVER =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?");

  private final String text;
  private final RedisTopology topology;
  private final RedisLogin scriptLogin;

  private RedisUrl(String text, RedisTopology topology, RedisLogin scriptLogin) {
    this.text = text;
    this.topology = topology;
    this.scriptLogin = scriptLogin;
  }

  /// @throws IllegalArgumentException says what is wrong, without the password
  public static RedisUrl parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "must be redis://user:password@host:port/database, or the same with redis+sentinel:// or"
              + " redis+cluster:// and several host:port");
    }
    RedisLogin login =
        login(
            Optional.ofNullable(form.group(3)),
            database(Optional.ofNullable(form.group(5)).orElse("")),
            form.group(1).equals("rediss"));
    Map<String, String> query = query(Optional.ofNullable(form.group(6)).orElse(""));
    RedisLogin scriptLogin = login(query, "script", login.tls()).orElse(login);
    RedisTopology topology =
        switch (Optional.ofNullable(form.group(2)).orElse("")) {
          case "+sentinel" -> sentinel(servers(form.group(4), SENTINEL_PORT), login, query);
          case "+cluster" -> cluster(servers(form.group(4), PORT), login);
          default -> standalone(servers(form.group(4), PORT), login);
        };
    if (!query.isEmpty()) {
      throw new IllegalArgumentException("does not know " + String.join(", ", query.keySet()));
    }
    return new RedisUrl(text, topology, scriptLogin);
  }

  private static RedisTopology standalone(List<RedisServer> servers, RedisLogin login) {
    if (servers.size() > 1) {
      throw new IllegalArgumentException(
          "several servers need redis+sentinel:// or redis+cluster://");
    }
    return new RedisTopology.Standalone(servers.getFirst(), login);
  }

  private static RedisTopology sentinel(
      List<RedisServer> servers, RedisLogin login, Map<String, String> query) {
    String master = query.remove("master");
    if (master == null || master.isEmpty()) {
      throw new IllegalArgumentException("needs ?master= with the name of the master");
    }
    RedisLogin entry =
        login(query, "sentinel", login.tls()).orElse(new RedisLogin("", "", 0, login.tls()));
    return new RedisTopology.Sentinel(servers, entry, master, login);
  }

  private static RedisTopology cluster(List<RedisServer> servers, RedisLogin login) {
    if (login.database() != 0) {
      throw new IllegalArgumentException("a cluster has no databases but 0");
    }
    return new RedisTopology.Cluster(servers, login);
  }

  private static RedisLogin login(Optional<String> text, int database, boolean tls) {
    String[] parts = text.orElse(":").split(":", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException("a login is user:password, or :password");
    }
    return new RedisLogin(decode(parts[0]), decode(parts[1]), database, tls);
  }

  private static int database(String number) {
    if (!number.matches("[0-9]{0,5}")) {
      throw new IllegalArgumentException("the database must be a number");
    }
    return number.isEmpty() ? 0 : Integer.parseInt(number);
  }

  private static List<RedisServer> servers(String list, int defaultPort) {
    List<RedisServer> servers = new ArrayList<>();
    for (String each : list.split(",", -1)) {
      Matcher server = SERVER.matcher(each);
      if (!server.matches()) {
        throw new IllegalArgumentException(
            "needs host:port as its server number " + (servers.size() + 1)); // may be a password
      }
      String host = Optional.ofNullable(server.group(1)).orElseGet(() -> server.group(2));
      int port = Optional.ofNullable(server.group(3)).map(Integer::parseInt).orElse(defaultPort);
      if (port == 0 || port > 65_535) {
        throw new IllegalArgumentException("has a port that cannot be: " + port);
      }
      servers.add(new RedisServer(host, port));
    }
    return List.copyOf(servers);
  }

  private static Map<String, String> query(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String each : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      String[] parts = each.split("=", 2);
      if (parts.length < 2 || values.put(parts[0], decode(parts[1])) != null) {
        throw new IllegalArgumentException("needs name=value, each once, after the ?");
      }
    }
    return values;
  }

  /// The login that has parameters of its own.
  private static Optional<RedisLogin> login(Map<String, String> query, String whose, boolean tls) {
    Optional<String> user = Optional.ofNullable(query.remove(whose + "_user"));
    Optional<String> password = Optional.ofNullable(query.remove(whose + "_password"));
    return user.isEmpty() && password.isEmpty()
        ? Optional.empty()
        : Optional.of(new RedisLogin(user.orElse(""), password.orElse(""), 0, tls));
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("has a % that is not followed by two hex digits");
    }
  }

  /// What [#parse(String)] has read, passwords included.
  public String text() {
    return text;
  }

  /// Whether servers share the keys.
  public boolean isCluster() {
    return topology instanceof RedisTopology.Cluster;
  }

  RedisTopology topology() {
    return topology;
  }

  /// Who loads scripts.
  RedisLogin scriptLogin() {
    return scriptLogin;
  }

  @Override
  public String toString() {
    return topology.toString();
  }
}
