package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CompletionTest {
  private final Completion completion = new Completion(new Known());

  @Test
  void whatIsTypedAfterLinkBesidesACodeIsCompletedAndStandsInHelp() {
    assertThat(completion.of(List.of("/link"), "")).containsExactly("show", "yes", "no");
    assertThat(completion.of(List.of("/link"), "Y")).containsExactly("yes");
    assertThat(SlashCommand.LINK.usage()).isEqualTo("/link [CODE|SHOW|YES|NO]");
  }

  @Test
  void aRecoveryKeyIsMadeByWordsThatAreCompleted() {
    assertThat(completion.of(List.of("/recover"), "n")).containsExactly("new");
    assertThat(completion.of(List.of("/recover"), "r")).containsExactly("reset");
    assertThat(completion.of(List.of("/recover", "new"), "y")).containsExactly("yes");
  }
}
