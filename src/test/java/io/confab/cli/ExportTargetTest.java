package io.confab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExportTargetTest {
  /// Takes nothing.
  private static final class FullDisk extends Writer {
    @Override
    public void write(char[] text, int from, int length) throws IOException {
      throw new IOException("No space left");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void linesAreWrittenAndCounted() throws IOException {
    StringWriter out = new StringWriter();
    ExportTarget target = new ExportTarget(out);
    target.line("1");
    target.line("2");
    target.flush();

    assertThat(out).hasToString("1\n2\n");
    assertThat(target.lines()).isEqualTo(2);
  }

  @Test
  void anOutputThatKeepsItsErrorsToItselfIsAsked() {
    ExportTarget target = new ExportTarget(new PrintWriter(new FullDisk()));
    target.line("lost");

    assertThatThrownBy(target::flush).isInstanceOf(IOException.class).hasMessageContaining("whole");
  }

  @Test
  void anOutputThatTakesNoMoreEndsALongExportSoon() {
    ExportTarget target = new ExportTarget(new PrintWriter(new FullDisk()));

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                target.line("lost");
              }
            })
        .isInstanceOf(ExportTarget.Full.class);
    assertThat(target.lines()).isEqualTo(1_000);
  }

  @Test
  void aFileThatIsFullIsNoLostConnection() {
    assertThatThrownBy(() -> new ExportTarget(new FullDisk()).line("lost"))
        .isInstanceOfSatisfying(
            ExportTarget.Full.class, full -> assertThat(full.why()).hasMessage("No space left"));
  }
}
