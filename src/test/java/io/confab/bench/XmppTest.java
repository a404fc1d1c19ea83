package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How [XmppFraming] cuts a stream, and what [XmppSpeech] makes of it.
@Timeout(60)
class XmppTest {
  private static final String HEAD =
      "<?xml version='1.0'?><stream:stream id='1' xmlns:stream='http://etherx.jabber.org/streams'>";
  private static final String SUBJECT =
      "<message from='room@conference.localhost' type='groupchat'><subject/></message>";
  private static final String SAID =
      "<message id='~000000012' type='groupchat'><x a='>'/><body>~000000012 &lt;</body></message>";

  private final Heard heard = new Heard();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new Line(
              0, new XmppFraming(), new XmppSpeech("ann", List.of("room"), List.of(0)), heard));

  private void comes(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
  }

  private String said() {
    channel.flushOutbound();
    return PlainFraming.said(channel);
  }

  @Test
  void aPersonSignsInBindsAndEntersRooms() {
    assertThat(said()).startsWith("<stream:stream to='localhost'");
    comes(
        HEAD
            + "<stream:features><mechanisms><mechanism>PLAIN</mechanism></mechanisms></stream:features>");
    assertThat(said()).contains("<auth ").contains("AGFubgBub25l</auth>");
    comes("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>");
    assertThat(said()).startsWith("<stream:stream ");
    comes(HEAD + "<stream:features><bind/></stream:features>");
    assertThat(said()).contains("<bind ");
    comes("<iq type='result' id='bind'><bind><jid>ann@localhost/1</jid></bind></iq>");
    assertThat(said()).contains("to='room@conference.localhost/ann'");
    assertThat(heard.all()).isEmpty();
    comes(SUBJECT);
    assertThat(heard.all()).containsExactly("live");
  }

  @Test
  void stanzasThatComeInPiecesAndTogetherAreRead() {
    for (char next : (HEAD + SUBJECT + SAID).toCharArray()) {
      comes(String.valueOf(next));
    }
    comes(SAID + SAID);

    assertThat(heard.all()).containsExactly("live", "received 12", "received 12", "received 12");
  }

  @Test
  void anErrorIsAFailure() {
    comes("<message type='error'><error/></message>");

    assertThat(heard.all()).containsExactly("failed <message type='error'><error/></message>");
  }
}
