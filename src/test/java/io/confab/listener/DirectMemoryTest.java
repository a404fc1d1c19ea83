package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Netty reads once in the life of a JVM, in JVMs of their own.
@Timeout(60)
class DirectMemoryTest {
  /// Says whether Netty tells the flight recorder of its buffers.
  @SuppressWarnings("SystemOut")
  static final class Asked {
    public static void main(String[] args) throws IOException {
      DirectMemory.tellNobody();
      DirectMemory.require();
      System.out.print(PlatformDependent.isJfrEnabled());
    }
  }

  private static String ask(String... options) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "--sun-misc-unsafe-memory-access=allow"));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Asked.class.getName()));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void nobodyIsToldOfBuffersUnasked() throws IOException {
    assertThat(ask()).isEqualTo("false");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoAsksForItOrNotIsHeard(boolean asked) throws IOException {
    assertThat(ask("-Dio.netty.jfr.enabled=" + asked)).isEqualTo(Boolean.toString(asked));
  }
}
