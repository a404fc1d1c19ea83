package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MentionTest {
  private static final AccountId ANN = new AccountId(5);

  @Test
  void everyMentionHasATextOfItsOwn() {
    assertThat(List.of(Mention.ALL, Mention.ONLINE, Mention.of(ANN)))
        .extracting(Mention::toString)
        .containsExactly("@all", "@online", ANN.toString());
    for (Mention mention : List.of(Mention.ALL, Mention.ONLINE, Mention.of(ANN))) {
      assertThat(Mention.parse(mention.toString())).isEqualTo(mention);
    }
    assertThatThrownBy(() -> Mention.parse("@nobody")).isInstanceOf(Refusal.class);
  }

  @Test
  void onTheWireItIsThatText() {
    assertThat(
            new String(Json.bytes(List.of(Mention.ALL, Mention.of(ANN))), StandardCharsets.UTF_8))
        .isEqualTo("[\"@all\",\"" + ANN + "\"]");
  }
}
