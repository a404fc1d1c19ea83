package io.confab.metrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Selects from the meters of Vert.x and Netty the few of our table, under its names and with one
/// label of few values each; all others are switched off. A pool without a name of its own, such as
/// that of each writer's connection, has a random one and is left out.
final class VertxMeters implements MeterFilter {
  /// A meter of our table, and the tag of Vert.x whose value is its label.
  private record Taken(Meter meter, String tag) {}

  private static final String POOL = "pool_name";
  private static final Map<String, Taken> TAKEN =
      Map.of(
          "netty.eventexecutor.tasks.pending", new Taken(Meter.LOOP_TASKS, "name"),
          "vertx.pool.queue.pending", new Taken(Meter.POOL_WAITING, POOL),
          "vertx.pool.in.use", new Taken(Meter.POOL_IN_USE, POOL),
          "vertx.pool.queue.time", new Taken(Meter.POOL_WAIT_TIME, POOL));

  private static final Set<String> POOLS =
      Set.of(
          "postgresql", "postgresql-changes", "vert.x-worker-thread", "vert.x-internal-blocking");

  /// Measures nothing for each write to a socket, each request, each statement and each message of
  /// the bus. Vert.x keeps the registries of a JVM by name: two nodes with one name would share the
  /// registry of the first.
  static MetricsOptions options() {
    return new MicrometerMetricsOptions()
        .setEnabled(true)
        .setRegistryName(UUID.randomUUID().toString())
        .setNettyMetricsEnabled(true)
        .addDisabledMetricsCategory(MetricsDomain.NET_SERVER)
        .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
        .addDisabledMetricsCategory(MetricsDomain.HTTP_SERVER)
        .addDisabledMetricsCategory(MetricsDomain.HTTP_CLIENT)
        .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
        .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
        .addDisabledMetricsCategory(MetricsDomain.VERTICLES)
        .addDisabledMetricsCategory("sql")
        .addDisabledMetricsCategory("redis");
  }

  @Override
  public io.micrometer.core.instrument.Meter.Id map(io.micrometer.core.instrument.Meter.Id id) {
    Taken taken = TAKEN.get(id.getName());
    String value = taken == null ? null : id.getTag(taken.tag());
    if (taken == null || value == null || (isOfPool(taken) && !POOLS.contains(value))) {
      return id;
    }
    Meter meter = taken.meter();
    return new io.micrometer.core.instrument.Meter.Id(
        meter.title(),
        Tags.of(meter.label().orElseThrow(), value),
        id.getBaseUnit(),
        meter.help(),
        id.getType());
  }

  private static boolean isOfPool(Taken taken) {
    return taken.tag().equals(POOL);
  }

  @Override
  public MeterFilterReply accept(io.micrometer.core.instrument.Meter.Id id) {
    return id.getName().startsWith("confab_") || ProcessMeters.has(id.getName())
        ? MeterFilterReply.NEUTRAL
        : MeterFilterReply.DENY;
  }
}
