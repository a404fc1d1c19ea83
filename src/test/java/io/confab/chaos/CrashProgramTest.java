package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The places of the crash points are where the sources are now.
@Timeout(240)
class CrashProgramTest {
  @Test
  void everyCrashPointCanBePlanted(@TempDir Path folder) {
    assertThat(CrashProgram.of(folder).classes()).exists();
  }
}
