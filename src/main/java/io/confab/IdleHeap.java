package io.confab;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives heap that the node does not need back to the system. By itself the JVM begins with 1/64 of
/// the machine's memory and keeps what it ever had.
final class IdleHeap {
  /// Once nothing was collected for so long, G1 collects beside the work and lets the heap shrink
  /// (https://openjdk.org/jeps/346). With many sessions their pings have it collect before. Other
  /// collectors do nothing of the kind.
  static final Duration CALM = Duration.ofMinutes(2);

  static final String INTERVAL = "G1PeriodicGCInterval";

  private static final Logger LOG = LoggerFactory.getLogger(IdleHeap.class);

  private IdleHeap() {}

  /// What the start left, and from now on what a calm node does not need any more; nothing below
  /// `-Xms`.
  static void giveBack() {
    collectWhenCalm(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class));
    System.gc();
  }

  /// Unless the command line says something about it.
  static void collectWhenCalm(HotSpotDiagnosticMXBean jvm) {
    try {
      if (jvm.getVMOption(INTERVAL).getOrigin() == VMOption.Origin.DEFAULT) {
        jvm.setVMOption(INTERVAL, Long.toString(CALM.toMillis()));
      }
    } catch (IllegalArgumentException unknown) {
      LOG.debug("This JVM has no {}", INTERVAL, unknown);
    }
  }
}
