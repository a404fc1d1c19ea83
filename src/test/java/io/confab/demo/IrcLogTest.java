package io.confab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.demo.IrcLog.Line;
import io.confab.protocol.TextRules;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class IrcLogTest {
  @Test
  void spokenLinesAreKeptAndTheOthersCounted() {
    IrcLog log =
        IrcLog.parse(
            List.of(
                "=== ann [~ann@host] has joined #here",
                "[12:18] <|trey|> usual, quite <b>stable</b>  :)",
                "[12:18]  * ann waves",
                "[12:19] <ann> ",
                "",
                "[12:19] <ann>  two spaces"));

    assertThat(log.lines())
        .containsExactly(
            new Line(738, "|trey|", "usual, quite <b>stable</b>  :)"),
            new Line(739, "ann", " two spaces"));
    assertThat(log.leftOut()).isEqualTo(2);
    assertThat(log.blank()).isEqualTo(2);
  }

  @Test
  void theClockGoesOnOverMidnight() {
    IrcLog log = IrcLog.parse(List.of("[23:59] <a> x", "[00:00] <b> y", "[00:10] <a> z"));

    assertThat(log.lines()).extracting(Line::minute).containsExactly(1439, 1440, 1450);
  }

  @Test
  void coloursAreDropped() {
    IrcLog log =
        IrcLog.parse(List.of("[12:00] <a> \u0002bold\u0002 \u000304red", "[12:00] <a> \u0002"));

    assertThat(log.lines()).extracting(Line::text).containsExactly("bold 04red");
    assertThat(log.blank()).isEqualTo(1);
  }

  @Test
  void eachNickHasAHandleOfItsOwnThatIsAllowed() {
    IrcLog log =
        IrcLog.parse(
            List.of("[12:00] <Ann> x", "[12:00] <ann> x", "[12:00] <[]\\`> x", "[12:00] <名前> x"));

    assertThat(log.handles().values())
        .doesNotHaveDuplicates()
        .allSatisfy(handle -> assertThat(TextRules.handle("handle", handle)).isEqualTo(handle));
    assertThat(log.handles()).containsEntry("Ann", "nann").containsEntry("ann", "nann-2");
  }
}
