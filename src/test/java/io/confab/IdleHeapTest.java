package io.confab;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IdleHeapTest {
  /// A JVM with the option as it was set, or without it.
  private record Jvm(VMOption.@Nullable Origin origin, List<String> set)
      implements HotSpotDiagnosticMXBean {
    @Override
    public VMOption getVMOption(String name) {
      if (origin == null) {
        throw new IllegalArgumentException(name);
      }
      return new VMOption(name, "0", true, origin);
    }

    @Override
    public void setVMOption(String name, String value) {
      set.add(name + "=" + value);
    }

    @Override
    public List<VMOption> getDiagnosticOptions() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void dumpHeap(String file, boolean live) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ObjectName getObjectName() {
      throw new UnsupportedOperationException();
    }
  }

  private static List<String> setWhereItIs(VMOption.@Nullable Origin origin) {
    Jvm jvm = new Jvm(origin, new ArrayList<>());
    IdleHeap.collectWhenCalm(jvm);
    return jvm.set();
  }

  @Test
  void whatTheCommandLineSaysCounts() {
    assertThat(setWhereItIs(VMOption.Origin.DEFAULT))
        .containsExactly("G1PeriodicGCInterval=120000");
    assertThat(setWhereItIs(VMOption.Origin.VM_CREATION)).isEmpty();
    assertThat(setWhereItIs(VMOption.Origin.ENVIRON_VAR)).isEmpty();
  }

  @Test
  void withoutTheOptionNothingHappens() {
    assertThat(setWhereItIs(null)).isEmpty();
  }
}
