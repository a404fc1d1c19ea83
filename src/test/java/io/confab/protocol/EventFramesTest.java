package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class EventFramesTest {
  private static final AccountId ACCOUNT = new AccountId(5);
  private static final EventFrames.Stamp STAMP =
      new EventFrames.Stamp(new RoomId(1), new Rev(3), new Epoch(2), ACCOUNT, 1_234);

  @Test
  void aMessageIsWrittenWithoutWhatIsAbsent() {
    assertThat(text(EventFrames.message(message("hä \"😀\"\n", null, null), new Epoch(2))))
        .isEqualTo(
            "{\"type\":\"message.receive\",\"room_id\":\"0000000000001\",\"seq\":2,\"rev\":3,"
                + "\"sender_id\":\"0000000000005\",\"client_id\":\"c\",\"msg_type\":\"text\","
                + "\"body\":\"hä \\\"😀\\\"\\n\",\"ts\":1234,\"epoch\":2}");
  }

  @Test
  void aMessageIsWrittenWithWhatIsThere() {
    assertThat(text(EventFrames.message(message("b", new Seq(1), "t"), new Epoch(2))))
        .contains("\"reply_to\":1,\"topic\":\"t\",");
  }

  @Test
  void aMessageSaysWhomItMentionsBeforeItsTime() {
    byte[] frame =
        EventFrames.message(
            message("b", null, "\"ts\":9", List.of(Mention.ALL, Mention.of(ACCOUNT))),
            new Epoch(2));
    assertThat(text(frame)).contains(",\"mentions\":[\"@all\",\"0000000000005\"],\"ts\":1234,");
    assertThat(EventFrames.ts(frame)).hasValue(1_234);
  }

  @Test
  void aChangeIsWrittenWithItsStoredFields() {
    String data = "{\"account_id\":\"0000000000005\",\"reason\":\"left\"}";
    assertThat(text(EventFrames.change(STAMP, "member.left", data)))
        .isEqualTo(
            "{\"type\":\"room.event\",\"room_id\":\"0000000000001\",\"rev\":3,\"epoch\":2,"
                + "\"kind\":\"member.left\",\"actor_id\":\"0000000000005\",\"ts\":1234,"
                + "\"account_id\":\"0000000000005\",\"reason\":\"left\"}");
  }

  private static Message message(String body, @Nullable Seq replyTo, @Nullable String topic) {
    return message(body, replyTo, topic, null);
  }

  private static Message message(
      String body,
      @Nullable Seq replyTo,
      @Nullable String topic,
      @Nullable List<Mention> mentions) {
    return Message.sent(
        new RoomId(1),
        new Seq(2),
        new Rev(3),
        ACCOUNT,
        new SendFields(new ClientId("c"), MessageType.TEXT, body, replyTo, topic),
        mentions,
        1_234);
  }

  private static String text(byte[] frame) {
    return new String(frame, StandardCharsets.UTF_8);
  }
}
