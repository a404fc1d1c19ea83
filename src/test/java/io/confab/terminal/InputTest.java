package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Seq;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class InputTest {
  @Test
  void whatIsNoCommandIsSaidAsItIs() {
    assertThat(Input.parse("hello  there ")).isEqualTo(new Input.Say("hello  there "));
    assertThat(Input.parse("1/2")).isEqualTo(new Input.Say("1/2"));
  }

  @Test
  void aSecondSlashSaysALineThatBeginsWithOne() {
    assertThat(Input.parse("//etc/hosts")).isEqualTo(new Input.Say("/etc/hosts"));
  }

  @Test
  void blankLinesAskForNothing() {
    assertThat(Input.parse(" \t")).isEqualTo(new Input.Nothing());
  }

  @Test
  void commandsTakeTheNumberOfAMessageWithAndWithoutTheSign() {
    assertThat(Input.parse("/reply #12 well  said"))
        .isEqualTo(new Input.Reply(new Seq(12), "well  said"));
    assertThat(Input.parse("/edit 7 better")).isEqualTo(new Input.Edit(new Seq(7), "better"));
    assertThat(Input.parse("/delete 7")).isEqualTo(new Input.Delete(new Seq(7)));
  }

  @Test
  void theOtherCommands() {
    assertThat(Input.parse("/history")).isEqualTo(new Input.History(20));
    assertThat(Input.parse("/history 5")).isEqualTo(new Input.History(5));
    assertThat(Input.parse("/rooms")).isEqualTo(new Input.Rooms());
    assertThat(Input.parse("/join Reading circle")).isEqualTo(new Input.Join("Reading circle"));
    assertThat(Input.parse("/help")).isEqualTo(new Input.Help());
    assertThat(Input.parse("/quit")).isEqualTo(new Input.Quit());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/dance",
        "/edit",
        "/edit 7",
        "/edit x y",
        "/reply 0 no",
        "/delete",
        "/delete -1",
        "/delete 9999999999999999999",
        "/history 201",
        "/history 0",
        "/join"
      })
  void whatIsMistypedIsNeverSent(String line) {
    assertThat(Input.parse(line)).isInstanceOf(Input.Wrong.class);
  }
}
