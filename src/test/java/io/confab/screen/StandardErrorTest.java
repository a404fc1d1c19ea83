package io.confab.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

@SuppressWarnings("SystemOut")
class StandardErrorTest {
  private final List<String> shown = new CopyOnWriteArrayList<>();

  private final Screen screen =
      new Screen() {
        @Override
        public boolean isTerminal() {
          return true;
        }

        @Override
        public void line(String line) {
          shown.add(line);
          System.err.println("drawing " + line);
        }

        @Override
        public void status(String text) {}

        @Override
        public void clearStatus() {}
      };

  @Test
  void whatIsLoggedIsLinesOfTheScreenButNoStacks() {
    PrintStream before = System.err;
    try (StandardError _ = StandardError.on(screen)) {
      System.err.print("WARN  Client: grün\n\tat io.vertx.core\n\n\u001b[2J");
      System.err.println("x");
    }
    assertThat(System.err).isSameAs(before);
    assertThat(shown).containsExactly("! WARN  Client: grün", "! <U+1B>[2Jx");
  }

  @Test
  void aLineIsCut() {
    try (StandardError _ = StandardError.on(screen)) {
      System.err.println("a".repeat(3 * StandardError.LONGEST));
      System.err.println("b");
    }
    assertThat(shown).containsExactly("! " + "a".repeat(StandardError.LONGEST), "! b");
  }
}
