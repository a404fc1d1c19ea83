package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.account.AccountCommand.RedeemTicket;
import io.confab.feed.Event;
import io.confab.feed.EventCommand.EventPage;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.Seq;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordCodecTest {
  private final RecordCodec codec = new RecordCodec();

  private static List<Class<?>> messages() {
    return MainRecords.assignableTo(BusMessage.class);
  }

  @Test
  void thereAreMessagesToTry() {
    assertThat(messages()).hasSizeGreaterThan(30).contains(Done.class, RedeemTicket.class);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyMessageSurvivesTheWire(Class<?> type) {
    crosses((BusMessage) new MadeValues(true).of(type));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void everyMessageSurvivesTheWireWithoutWhatMayBeAbsent(Class<?> type) {
    crosses((BusMessage) new MadeValues(false).of(type));
  }

  private void crosses(BusMessage sent) {
    assertThat(crossed(sent)).usingRecursiveComparison().withStrictTypeChecking().isEqualTo(sent);
  }

  private BusMessage crossed(BusMessage sent) {
    Buffer buffer = Buffer.buffer("what stands before");
    int start = buffer.length();
    codec.encode(buffer, sent);
    return codec.decode(start, buffer.appendString("and after"));
  }

  static Stream<Event.Subject> subjects() {
    return Stream.of(
        new Event.OfRoom(),
        new Event.OfMessage(new Seq(7), new Rev(9)),
        new Event.OfChange(new Seq(7), new Rev(9), true),
        new Event.Departure(new AccountId(7), LeaveReason.BANNED));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void whatAnEventIsAboutArrives(Event.Subject subject) {
    Event event = new Event(new RoomId(1), new Epoch(2), new Rev(3), subject, new byte[] {4});
    crosses(new EventPage(new RoomId(1), new Epoch(1), List.of(event), new Rev(3)));
  }

  @Test
  void aSecretArrivesWhole() {
    assertThat(crossed(new RedeemTicket(new Secret("the token"))))
        .isEqualTo(new RedeemTicket(new Secret("the token")));
  }

  /// A record of the project that is no message of the bus.
  record Stranger(String text) {}

  /// A message that is no record.
  static final class NoRecord implements BusMessage {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.Runtime",
        "java.util.ArrayList",
        "io.confab.bus.RecordCodecTest$Stranger",
        "io.confab.bus.RecordCodecTest$NoRecord",
        "io.confab.bus.BusMessage",
        "io.confab.Nothing",
        "io.confabulation.Thing",
        ""
      })
  void onlyMessagesOfThisProjectAreMade(String name) {
    assertThatThrownBy(() -> codec.decode(0, wire(name, "{}")))
        .isInstanceOfAny(IllegalArgumentException.class, ClassCastException.class);
  }

  @Test
  void anUnknownFieldIsNotPassedOver() {
    Buffer wire = wire(RedeemTicket.class.getName(), "{\"ticket\":{\"value\":\"a\"},\"x\":1}");
    assertThatThrownBy(() -> codec.decode(0, wire)).hasMessageContaining("\"x\"");
  }

  @Test
  void idsCrossAsText() {
    Buffer buffer = Buffer.buffer();
    codec.encode(
        buffer, new io.confab.account.AccountCommand.ReadMe(new AccountId(Long.MAX_VALUE)));
    assertThat(buffer.toString()).contains("{\"caller\":\"7zzzzzzzzzzzz\"}");
  }

  private static Buffer wire(String name, String json) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return Buffer.buffer()
        .appendInt(bytes.length)
        .appendBytes(bytes)
        .appendInt(json.length())
        .appendString(json);
  }
}
