package io.confab.testing;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/// What is reachable in this JVM.
public final class LiveHeap {
  private static final int COUNT = 1;
  private static final int NAME = 3;

  private LiveHeap() {}

  /// How many objects of just this class there are after a collection.
  public static long instances(Class<?> type) {
    return histogram()
        .lines()
        .map(line -> List.of(line.strip().split("\\s+")))
        .filter(row -> row.size() > NAME && row.get(NAME).equals(type.getName()))
        .mapToLong(row -> Long.parseLong(row.get(COUNT)))
        .sum();
  }

  private static String histogram() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
