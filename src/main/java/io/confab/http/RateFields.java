package io.confab.http;

import io.confab.config.Rate;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tells clients in each answer how much of the limit that the call counted against is left
/// (draft-ietf-httpapi-ratelimit-headers-11). A token bucket has no window: `w` is the time in
/// which as many come back as may be used at once, `t` the time until all are there again.
final class RateFields {
  private static final String COUNTED = "counted";
  private static final long NANOS = 1_000_000_000;

  private final Limits limits;
  private final Map<Limit, String> policies = new EnumMap<>(Limit.class);

  private record Counted(Limit limit, String who) {}

  RateFields(Limits limits) {
    this.limits = limits;
    for (Limit limit : Limit.values()) {
      policies.put(limit, policy(limit, limits.rate(limit)));
    }
  }

  private static String policy(Limit limit, Rate rate) {
    Duration window = rate.per().multipliedBy(rate.burst()).dividedBy(rate.count());
    return "\"%s\";q=%d;w=%d".formatted(limit.wire(), rate.burst(), seconds(window));
  }

  /// Remembers what a call counts against; the last one is told.
  static void counts(RoutingContext context, Limit limit, String who) {
    context.put(COUNTED, new Counted(limit, who));
  }

  void write(RoutingContext context) {
    @Nullable Counted counted = context.get(COUNTED);
    if (counted == null) {
      return;
    }
    Limits.Standing standing = limits.standing(counted.limit(), counted.who());
    HttpServerResponse response = context.response();
    response.putHeader("ratelimit-policy", policies.get(counted.limit()));
    response.putHeader(
        "ratelimit",
        '"'
            + counted.limit().wire()
            + "\";r="
            + standing.left()
            + ";t="
            + seconds(standing.untilFull()));
  }

  /// Rounded up, so that nobody comes too early.
  private static long seconds(Duration span) {
    return Math.ceilDiv(span.toNanos(), NANOS);
  }
}
