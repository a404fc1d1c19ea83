package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
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

  private static Input.Do command(SlashCommand command, String... words) {
    return new Input.Do(command, List.of(words));
  }

  @Test
  void theLastWordOfACommandTakesTheRestOfTheLine() {
    assertThat(Input.parse("/reply #12 well  said"))
        .isEqualTo(command(SlashCommand.REPLY, "#12", "well  said"));
    assertThat(Input.parse("/edit 7 better")).isEqualTo(command(SlashCommand.EDIT, "7", "better"));
    assertThat(Input.parse("/join Reading circle "))
        .isEqualTo(command(SlashCommand.JOIN, "Reading circle"));
  }

  @Test
  void wordsInBracketsMayBeAbsent() {
    assertThat(Input.parse("/history")).isEqualTo(command(SlashCommand.HISTORY));
    assertThat(Input.parse("/history 5")).isEqualTo(command(SlashCommand.HISTORY, "5"));
    assertThat(Input.parse("/invite")).isEqualTo(command(SlashCommand.INVITE));
    assertThat(Input.parse("/invite 24 1")).isEqualTo(command(SlashCommand.INVITE, "24", "1"));
    assertThat(Input.parse("/set slow_mode_s 5"))
        .isEqualTo(command(SlashCommand.SET, "slow_mode_s", "5"));
    assertThat(Input.parse("/capacity 0")).isEqualTo(command(SlashCommand.CAPACITY, "0"));
    assertThat(Input.parse("/let_in ann")).isEqualTo(command(SlashCommand.LET_IN, "ann"));
    assertThat(Input.parse("/capacity few")).isInstanceOf(Input.Wrong.class);
  }

  @Test
  void helpNamesEveryCommandOnce() {
    for (SlashCommand command : SlashCommand.values()) {
      assertThat(SlashCommand.ALL).containsOnlyOnce("  " + command.usage() + " ");
    }
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
        "/history 0",
        "/join",
        "/quit now",
        "/mute ben forever",
        "/invite 1.5"
      })
  void whatIsMistypedIsNeverSent(String line) {
    assertThat(Input.parse(line)).isInstanceOf(Input.Wrong.class);
  }
}
