package io.confab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StandardInputIT {
  private final Path folder;

  StandardInputIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /// What a process says that asks for a password on its standard input.
  private String said(String redirection) throws IOException {
    String[] command = {
      "sh",
      "-c",
      "exec \"$0\" -XX:TieredStopAtLevel=1 -cp \"$1\" \"$2\" room list --as ada --password-stdin --server http://127.0.0.1:1 "
          + redirection,
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      System.getProperty("java.class.path"),
      Main.class.getName()
    };
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aClosedInputHoldsNoPassword() throws IOException {
    assertThat(said("<&-")).contains("there is no password on standard input");
  }

  @Test
  void anEmptyOneHoldsNoneAndAFileDoes() throws IOException {
    assertThat(said("")).contains("there is no password on standard input");
    assertThat(said("</etc/passwd")).contains("no server answered");
  }
}
