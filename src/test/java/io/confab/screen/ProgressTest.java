package io.confab.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ProgressTest {
  private final StringWriter out = new StringWriter();

  private Screen screen(boolean terminal) {
    return new PlainScreen(new PrintWriter(out), terminal);
  }

  @Test
  void withoutATerminalEachTenthIsALine() {
    Progress progress = new Progress(screen(false), "lines", 40);
    for (int i = 0; i < 40; i++) {
      progress.step();
    }

    assertThat(out.toString().lines())
        .hasSize(10)
        .contains(" 10 % (4 of 40 lines)", " 50 % (20 of 40 lines)", "100 % (40 of 40 lines)");
  }

  @Test
  void onATerminalABarIsWrittenOverAndTakenAwayInTheEnd() {
    Progress progress = new Progress(screen(true), "lines", 2);
    progress.step();
    progress.step();

    assertThat(out.toString())
        .isEqualTo(
            "\r\u001b[K[###############···············]  50 % (1 of 2 lines)"
                + "\r\u001b[K[##############################] 100 % (2 of 2 lines)"
                + "\r\u001b[K");
  }

  @Test
  void aLineTakesTheStatusAwayFirst() {
    Screen screen = screen(true);
    screen.status("waiting");
    screen.line("news");

    assertThat(out.toString())
        .isEqualTo("\r\u001b[Kwaiting\r\u001b[Knews" + System.lineSeparator());
  }
}
