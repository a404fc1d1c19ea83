package io.confab.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// Makes meters of each kind, with the names, labels and texts of [Meter].
final class Registry {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  Registry() {
    registry.config().meterFilter(new VertxMeters());
  }

  PrometheusMeterRegistry micrometer() {
    return registry;
  }

  Counter counter(Meter meter) {
    return Counter.builder(meter.title()).description(meter.help()).register(registry);
  }

  /// @param value of the meter's label
  Counter counter(Meter meter, String value) {
    return Counter.builder(meter.title())
        .description(meter.help())
        .tag(meter.label().orElseThrow(), value)
        .register(registry);
  }

  /// One for each constant.
  <E extends Enum<E>> Map<E, Counter> counters(
      Meter meter, Class<E> type, Function<E, String> label) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E each : type.getEnumConstants()) {
      counters.put(each, counter(meter, label.apply(each)));
    }
    return counters;
  }

  /// Shows a count that is kept elsewhere. A counter holds the object that it reads weakly, here
  /// one that lives as long as itself.
  void countElsewhere(Meter meter, Tags tags, LongSupplier count) {
    FunctionCounter.builder(meter.title(), registry, _ -> (double) count.getAsLong())
        .description(meter.help())
        .tags(tags)
        .register(registry);
  }

  void gauge(Meter meter, Supplier<Number> value) {
    gauge(meter, Tags.empty(), value);
  }

  void gauge(Meter meter, Tags tags, Supplier<Number> value) {
    Gauge.builder(meter.title(), value).description(meter.help()).tags(tags).register(registry);
  }

  Histogram histogram(Meter meter) {
    Histogram histogram = new Histogram(meter);
    registry.getPrometheusRegistry().register(histogram);
    return histogram;
  }

  DistributionSummary summary(Meter meter, double... bounds) {
    return DistributionSummary.builder(meter.title())
        .description(meter.help())
        .serviceLevelObjectives(bounds)
        .register(registry);
  }

  Timer timer(Meter meter, long... boundsMs) {
    return Timer.builder(meter.title())
        .description(meter.help())
        .serviceLevelObjectives(
            LongStream.of(boundsMs).mapToObj(Duration::ofMillis).toArray(Duration[]::new))
        .register(registry);
  }

  /// Shows a fact that does not change.
  void info(Meter meter, String value) {
    InfoSnapshot info =
        InfoSnapshot.builder()
            .name(meter.title().replace("_info", "")) // which its kind adds
            .help(meter.help())
            .dataPoint(
                InfoDataPointSnapshot.builder()
                    .labels(Labels.of(meter.label().orElseThrow(), value))
                    .build())
            .build();
    registry.getPrometheusRegistry().register(() -> info);
  }
}
