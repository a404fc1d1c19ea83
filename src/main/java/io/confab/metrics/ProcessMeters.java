package io.confab.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;
import java.util.stream.Stream;

/// The meters of the JVM and its process, under the names that Micrometer gives them everywhere.
final class ProcessMeters implements AutoCloseable {
  private static final List<String> PREFIXES = List.of("jvm.", "process.", "system.");

  private final JvmGcMetrics collections = new JvmGcMetrics();

  ProcessMeters(MeterRegistry registry) {
    Stream.<MeterBinder>of(
            new JvmMemoryMetrics(),
            collections,
            new JvmThreadMetrics(),
            new ClassLoaderMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics())
        .forEach(meters -> meters.bindTo(registry));
  }

  /// Whether a meter, by its name in Micrometer, is one of these.
  static boolean has(String name) {
    return PREFIXES.stream().anyMatch(name::startsWith);
  }

  /// Listens to the garbage collectors no more.
  @Override
  public void close() {
    collections.close();
  }
}
