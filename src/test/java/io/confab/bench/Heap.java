package io.confab.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// What another JVM of this user has allocated, over its management agent, which is begun for it.
final class Heap {
  /// The other JVM may end at any time.
  private static final Map<String, Long> UNCHECKED =
      Map.of("jmx.remote.x.client.connection.check.period", 0L);

  private final MBeanServerConnection server;

  private Heap(MBeanServerConnection server) {
    this.server = server;
  }

  static Heap of(long pid) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        var url = new JMXServiceURL(machine.startLocalManagementAgent());
        return new Heap(connect(url));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The address comes from a process of this user.
  @SuppressWarnings("BanJNDI")
  private static MBeanServerConnection connect(JMXServiceURL url) throws IOException {
    return JMXConnectorFactory.connect(url, UNCHECKED).getMBeanServerConnection();
  }

  /// Bytes of all threads since the JVM began.
  long allocated() {
    try {
      ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
      return (long) server.getAttribute(threads, "TotalThreadAllocatedBytes");
    } catch (JMException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
