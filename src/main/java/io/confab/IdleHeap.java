package io.confab;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has the JVM give back heap that a calm node does not use: once nothing was collected for a
/// while, G1 collects beside the work and lets the heap shrink (https://openjdk.org/jeps/346). By
/// itself it begins with 1/64 of the machine's memory and keeps what it ever had.
final class IdleHeap {
  /// A collection costs some 50 ms of processor time.
  static final Duration CALM = Duration.ofSeconds(30);

  static final String INTERVAL = "G1PeriodicGCInterval";

  private static final Logger LOG = LoggerFactory.getLogger(IdleHeap.class);

  private IdleHeap() {}

  /// In this process, from now on; not where the command line says something about it.
  static void shrinks() {
    shrinks(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class));
  }

  static void shrinks(HotSpotDiagnosticMXBean jvm) {
    try {
      if (jvm.getVMOption(INTERVAL).getOrigin() == VMOption.Origin.DEFAULT) {
        jvm.setVMOption(INTERVAL, Long.toString(CALM.toMillis()));
      }
    } catch (IllegalArgumentException unknown) {
      LOG.debug("This JVM has no {}", INTERVAL, unknown);
    }
  }
}
