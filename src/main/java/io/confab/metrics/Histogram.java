package io.confab.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Times in buckets, for what happens with each message: a record is a short search and two
/// additions, a tenth of what a timer of Micrometer costs, which also keeps a moving maximum.
final class Histogram implements Collector {
  private static final double NANOS = 1e9;

  /// Upper bounds of the buckets in seconds; the last bucket has none.
  private static final double[] BOUNDS = {
    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, Double.POSITIVE_INFINITY
  };

  private static final long[] NANO_BOUNDS =
      DoubleStream.of(BOUNDS).mapToLong(bound -> (long) (bound * NANOS)).toArray();

  private final Meter meter;
  private final LongAdder nanos = new LongAdder();
  private final LongAdder[] buckets =
      Stream.generate(LongAdder::new).limit(BOUNDS.length).toArray(LongAdder[]::new);

  Histogram(Meter meter) {
    this.meter = meter;
  }

  /// @param took in nanoseconds; less than nothing, by clocks that differ, counts as nothing
  void record(long took) {
    int bucket = 0;
    while (took > NANO_BOUNDS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    nanos.add(Math.max(0, took));
  }

  @Override
  public MetricSnapshot collect() {
    Number[] counts = Stream.of(buckets).map(LongAdder::sum).toArray(Number[]::new);
    return HistogramSnapshot.builder()
        .name(meter.title())
        .help(meter.help())
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts))
                .sum(nanos.sum() / NANOS)
                .build())
        .build();
  }

  @Override
  public String getPrometheusName() {
    return meter.title();
  }
}
