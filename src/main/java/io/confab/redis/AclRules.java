package io.confab.redis;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What Confab does in Redis, as the rules of an ACL user
/// (https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/): commands, those
/// that its scripts call among them, keys and channels. Scripts are loaded by another user.
public final class AclRules {
  private static final List<String> SENT =
      List.of(
          "ping", "publish", "subscribe", "unsubscribe", "evalsha", "set", "del", "unlink", "info");
  private static final List<String> BY_SCRIPTS =
      List.of(
          "exists",
          "get",
          "hdel",
          "hget",
          "hgetall",
          "hlen",
          "hmget",
          "hrandfield",
          "hset",
          "hsetnx",
          "hstrlen",
          "lpush",
          "lrange",
          "ltrim",
          "pexpire",
          "time",
          "zadd",
          "zcard",
          "zrange",
          "zrangebyscore",
          "zrank",
          "zrem",
          "zscore");
  private static final List<String> OF_SENTINEL_AND_CLUSTER =
      List.of(
          "role",
          "asking",
          "cluster|info",
          "cluster|slots",
          "spublish",
          "ssubscribe",
          "sunsubscribe");

  private AclRules() {}

  /// Of the user who loads scripts and does nothing else.
  public static String loading() {
    return "+script|load";
  }

  /// Of the user who works with these keys.
  public static String working(RedisKeys keys) {
    return Stream.of(
            keys.keyPatterns().stream().map(pattern -> "~" + pattern),
            keys.channelPatterns().stream().map(pattern -> "&" + pattern),
            Stream.of("-@all"),
            commands().map(command -> "+" + command))
        .flatMap(rules -> rules)
        .collect(Collectors.joining(" "));
  }

  private static Stream<String> commands() {
    return Stream.of(SENT, BY_SCRIPTS, OF_SENTINEL_AND_CLUSTER).flatMap(List::stream);
  }
}
