package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketIoSpeechTest {
  private final Heard heard = new Heard();
  private final SocketIoSpeech speech =
      new SocketIoSpeech("{\"person\":\"p\"}", "say", List.of("room"));
  private final Line line = new Line(0, new PlainFraming(), speech, heard);
  private final EmbeddedChannel channel = new EmbeddedChannel(line);

  private void comes(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    channel.flushOutbound();
  }

  @Test
  void aPersonConnectsToTheNamespaceAndIsLiveOnceItHasJoined() {
    comes("0{\"sid\":\"s\",\"pingInterval\":25000}");
    comes("40{\"sid\":\"t\"}");

    assertThat(PlainFraming.said(channel)).isEqualTo("40{\"person\":\"p\"}");
    assertThat(heard.all()).isEmpty();

    comes("42[\"joined\"]");

    assertThat(heard.all()).containsExactly("live");
  }

  @Test
  void aPingIsAnswered() {
    comes("2");

    assertThat(PlainFraming.said(channel)).isEqualTo("3");
  }

  @Test
  void messagesAndAcknowledgementsAreKnownByTheirNumbers() {
    comes("42[\"message\",{\"room\":\"room\",\"id\":7,\"body\":\"~000000012xxx\"}]");
    comes("43012[{\"id\":7,\"ts\":1}]");

    assertThat(heard.all()).containsExactly("received 12", "acked 12");
  }

  @Test
  void aMessageThatWasNotStoredFails() {
    comes("4312[{\"error\":\"no\"}]");

    assertThat(heard.all()).containsExactly("failed [{\"error\":\"no\"}]");
  }

  @Test
  void aMessageCarriesItsTokenTwice() {
    assertThat(new String(speech.message(0, Token.text(12)), StandardCharsets.UTF_8))
        .startsWith("42000000012[\"say\",\"room\",\"~000000012x");
  }
}
