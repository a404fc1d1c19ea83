package io.confab.redis;

import io.confab.protocol.Refusal;
import io.vertx.redis.client.Response;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One run of a server, which has another name when it starts again.
///
/// @param clock its time, in milliseconds since 1970
public record RedisInstance(String runId, long clock) {
  private static final Pattern RUN_ID = Pattern.compile("\\brun_id:([0-9a-f]+)");
  private static final Pattern CLOCK = Pattern.compile("\\bserver_time_usec:([0-9]+)");
  private static final long MICROS = 1_000;

  /// Of the answer to `INFO server`.
  static RedisInstance of(Response info) {
    String text = info.toString();
    return new RedisInstance(found(RUN_ID, text), Long.parseLong(found(CLOCK, text)) / MICROS);
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw Refusal.unavailable("Redis does not say which one it is");
    }
    return matcher.group(1);
  }
}
