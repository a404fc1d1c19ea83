package io.confab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomChange.MessageDeleted;
import io.confab.protocol.RoomChange.MessageEdited;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.protocol.ServerFrame.Goodbye;
import io.confab.protocol.ServerFrame.Limits;
import io.confab.protocol.ServerFrame.MessageAck;
import io.confab.protocol.ServerFrame.Ok;
import io.confab.protocol.ServerFrame.Pong;
import io.confab.protocol.ServerFrame.Resumed;
import io.confab.protocol.ServerFrame.ResumedRoom;
import io.confab.protocol.ServerFrame.RoomAdded;
import io.confab.protocol.ServerFrame.RoomGap;
import io.confab.protocol.ServerFrame.RoomRemoved;
import io.confab.protocol.ServerFrame.Welcome;
import io.confab.protocol.ServerFrame.WelcomeRoom;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A golden sample of everything that the server says.
class ServerFrameTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final AccountId ANN = new AccountId(32);
  private static final AccountId BOB = new AccountId(33);
  private static final Epoch EPOCH = new Epoch(1);
  private static final EventFrames.Stamp STAMP =
      new EventFrames.Stamp(ROOM, new Rev(9), EPOCH, ANN, 1_700_000_000_123L);

  private static Arguments sample(ServerFrame frame, String json) {
    return Arguments.of(frame, json);
  }

  private static Stream<Arguments> frames() {
    return Stream.of(
        sample(
            new Welcome(
                "1",
                new SessionId("s"),
                ANN,
                new DeviceId("d"),
                new NodeId("n"),
                1_700_000_000_123L,
                1,
                new Limits(65_536, 16_384, 256, 1_000),
                List.of(new WelcomeRoom(ROOM, EPOCH, new Seq(3), new Rev(5), false)),
                true),
            """
            {"type":"welcome","re":"1","session_id":"s","account_id":"0000000000010",
             "device_id":"d","node_id":"n","server_time":1700000000123,"feature_level":1,
             "limits":{"frame_bytes":65536,"body_bytes":16384,"requests":256,"rooms":1000},
             "rooms":[{"room_id":"0000000000007","epoch":1,"seq":3,"rev":5,"receipts":false}],
             "more_rooms":true}"""),
        sample(
            new Resumed(
                "2",
                List.of(
                    ResumedRoom.at(ROOM, EPOCH, new Rev(5), true), ResumedRoom.lost("whatever"))),
            """
            {"type":"resumed","re":"2","rooms":[
             {"room_id":"0000000000007","epoch":1,"rev":5,"recovered":true},
             {"room_id":"whatever","gone":true}]}"""),
        sample(
            new MessageAck(
                "3",
                ROOM,
                new ClientId("c"),
                "l",
                new Seq(3),
                new Rev(5),
                1_700_000_000_123L,
                "sent",
                true),
            """
            {"type":"message.ack","re":"3","room_id":"0000000000007","client_id":"c",
             "local_id":"l","seq":3,"rev":5,"ts":1700000000123,"status":"sent","duplicate":true}"""),
        sample(
            new MessageAck(
                null, ROOM, new ClientId("c"), null, new Seq(3), new Rev(5), 1L, "sent", null),
            """
            {"type":"message.ack","room_id":"0000000000007","client_id":"c","seq":3,"rev":5,"ts":1,
             "status":"sent"}"""),
        sample(
            new RoomGap(ROOM, EPOCH, new Rev(5)),
            """
            {"type":"room.gap","room_id":"0000000000007","epoch":1,"rev":5}"""),
        sample(
            new RoomAdded(
                new Room(
                    ROOM,
                    RoomType.GROUP,
                    "Team",
                    "All of us",
                    null,
                    Role.MEMBER,
                    HistoryRule.ALL,
                    2,
                    null,
                    EPOCH,
                    new Seq(3),
                    new Rev(5))),
            """
            {"type":"room.added","room":{"room_id":"0000000000007","type":"group","name":"Team",
             "description":"All of us","role":"member","history":"all","member_count":2,"epoch":1,
             "seq":3,"rev":5}}"""),
        sample(
            new RoomAdded(
                new Room(
                    ROOM,
                    RoomType.DIRECT,
                    null,
                    null,
                    BOB,
                    Role.OWNER,
                    HistoryRule.ALL,
                    2,
                    4L,
                    EPOCH,
                    new Seq(3),
                    new Rev(5))),
            """
            {"type":"room.added","room":{"room_id":"0000000000007","type":"direct",
             "peer_id":"0000000000011","role":"owner","history":"all","member_count":2,
             "archived_at":4,"epoch":1,"seq":3,"rev":5}}"""),
        sample(
            new RoomRemoved(ROOM, LeaveReason.ACCOUNT_REMOVED),
            """
            {"type":"room.removed","room_id":"0000000000007","reason":"account_removed"}"""),
        sample(Ok.changed("4", new Rev(7)), "{\"type\":\"ok\",\"re\":\"4\",\"rev\":7}"),
        sample(Ok.renewed(null, 900), "{\"type\":\"ok\",\"expires_in_s\":900}"),
        sample(new Pong("5", 6), "{\"type\":\"pong\",\"re\":\"5\",\"ts\":6}"),
        sample(
            ErrorFrame.of(
                "6",
                new Refusal(ErrorCode.SLOW_MODE, "body", "too soon", Duration.ofMillis(1_500)),
                new ClientId("c")),
            """
            {"type":"error","re":"6","code":"slow_mode","message":"too soon","field":"body",
             "retryable":true,"retry_after_ms":1500,"client_id":"c"}"""),
        sample(
            ErrorFrame.of(null, new Refusal(ErrorCode.NOT_FOUND, "no such room"), null),
            """
            {"type":"error","code":"not_found","message":"no such room","retryable":false}"""),
        sample(
            new Goodbye(4000, "going away", true, 1_234),
            """
            {"type":"goodbye","code":4000,"reason":"going away","resume":true,
             "reconnect_after_ms":1234}"""));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameStandsOnTheWireAsTheProtocolSays(ServerFrame frame, String golden) {
    assertThat(json(Json.bytes(frame))).isEqualTo(new JsonObject(golden));
  }

  @Test
  void everyFrameHasASample() {
    assertThat(
            frames()
                .map(sample -> sample.get()[0].getClass().getName())
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(permitted(ServerFrame.class));
  }

  private static String[] permitted(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses())
        .map(Class::getName)
        .toArray(String[]::new);
  }

  private static final Message EDITED = changed("Hi!", 2L, null);
  private static final Message DELETED = changed(null, null, 3L);

  private static Message changed(
      @Nullable String body, @Nullable Long editedAt, @Nullable Long deletedAt) {
    return new Message(
        ROOM,
        new Seq(3),
        new Rev(5),
        new Rev(9),
        ANN,
        new ClientId("c"),
        MessageType.TEXT,
        body,
        null,
        null,
        1,
        editedAt,
        deletedAt,
        deletedAt == null ? null : BOB);
  }

  private static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of(
            new MemberJoined(BOB),
            """
            {"kind":"member.joined","account_id":"0000000000011"}"""),
        Arguments.of(
            new MemberLeft(BOB, LeaveReason.REMOVED),
            """
            {"kind":"member.left","account_id":"0000000000011","reason":"removed"}"""),
        Arguments.of(
            new Members(new Rev(4), 5, 1),
            """
            {"kind":"members","rev_from":4,"joined":5,"left":1}"""),
        Arguments.of(
            new MessageEdited(EDITED),
            """
            {"kind":"message.edited","message":{"room_id":"0000000000007","seq":3,"rev":5,
             "changed_rev":9,"sender_id":"0000000000010","client_id":"c","msg_type":"text",
             "body":"Hi!","ts":1,"edited_at":2}}"""),
        Arguments.of(
            new MessageDeleted(new Seq(3), BOB),
            """
            {"kind":"message.deleted","seq":3,"deleted_by":"0000000000011"}"""),
        Arguments.of(
            new Archived(),
            """
            {"kind":"room.archived"}"""));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeIsTheSameFrameHoweverItCame(RoomChange change, String golden) {
    JsonObject expected =
        new JsonObject(
                """
                {"type":"room.event","room_id":"0000000000007","rev":9,"epoch":1,
                 "actor_id":"0000000000010","ts":1700000000123}""")
            .mergeIn(new JsonObject(golden));
    assertThat(json(EventFrames.change(STAMP, change))).isEqualTo(expected);
    assertThat(json(EventFrames.change(STAMP, change.kind(), EventFrames.data(change))))
        .isEqualTo(expected);
  }

  @Test
  void everyChangeHasASample() {
    assertThat(
            changes()
                .map(sample -> sample.get()[0].getClass().getName())
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(permitted(RoomChange.class));
  }

  private static Message message(String body, @Nullable Seq replyTo, @Nullable String topic) {
    return Message.sent(
        ROOM,
        new Seq(3),
        new Rev(9),
        ANN,
        new SendFields(new ClientId("c"), MessageType.TEXT, body, replyTo, topic),
        1_700_000_000_123L);
  }

  @Test
  void aMessageStandsOnTheWireAsTheProtocolSays() {
    assertThat(json(EventFrames.message(message("Hi \"all\"\n👍", new Seq(2), "News"), EPOCH)))
        .isEqualTo(
            new JsonObject(
                """
                {"type":"message.receive","room_id":"0000000000007","seq":3,"rev":9,
                 "sender_id":"0000000000010","client_id":"c","msg_type":"text",
                 "body":"Hi \\"all\\"\\n👍","reply_to":2,"topic":"News","ts":1700000000123,
                 "epoch":1}"""));
    assertThat(json(EventFrames.message(message("Hi", null, null), EPOCH)).fieldNames())
        .doesNotContain("reply_to", "topic");
  }

  static Stream<Message> messages() {
    return Stream.of(message("Hi", new Seq(2), "News"), EDITED, DELETED);
  }

  @Test
  void aTombstoneHasNoBody() {
    assertThat(json(EventFrames.message(DELETED, EPOCH)))
        .isEqualTo(
            new JsonObject(
                """
                {"type":"message.receive","room_id":"0000000000007","seq":3,"rev":5,"changed_rev":9,
                 "sender_id":"0000000000010","client_id":"c","msg_type":"text","ts":1,
                 "deleted_at":3,"deleted_by":"0000000000011","epoch":1}"""));
  }

  @Test
  void ofWhatIsHiddenOnlyTheNumberIsTold() {
    assertThat(json(EventFrames.hidden(ROOM, new Rev(9), EPOCH)))
        .isEqualTo(
            new JsonObject(
                """
                {"type":"room.event","room_id":"0000000000007","rev":9,"epoch":1,
                 "kind":"hidden"}"""));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageHasTheSameFieldsInHistoryAsOnTheSocket(Message message) {
    JsonObject received = json(EventFrames.message(message, EPOCH));
    received.remove("type");
    received.remove("epoch");
    assertThat(json(Json.bytes(message))).isEqualTo(received);
  }

  @Test
  void theCodesAreThoseOfTheProtocol() {
    assertThat(Arrays.stream(ErrorCode.values()).map(c -> c.wire() + " " + c.httpStatus()))
        .containsExactly(
            "invalid_json 400",
            "invalid_field 400",
            "unknown_type 400",
            "too_large 413",
            "unauthorized 401",
            "token_expired 401",
            "forbidden 403",
            "muted 403",
            "banned 403",
            "blocked 403",
            "room_full 403",
            "no_seat 403",
            "not_found 404",
            "conflict 409",
            "idempotency_mismatch 409",
            "gone 410",
            "slow_mode 429",
            "rate_limited 429",
            "unavailable 503",
            "internal 500");
    assertThat(Arrays.stream(CloseCode.values()).map(c -> c.code() + " " + c.resume()))
        .containsExactly(
            "1000 false",
            "4000 true",
            "4001 true",
            "4002 true",
            "4003 true",
            "4004 true",
            "4401 true",
            "4409 false",
            "4500 false",
            "4501 false",
            "4502 false",
            "4503 false");
  }

  private static JsonObject json(byte[] bytes) {
    return new JsonObject(new String(bytes, StandardCharsets.UTF_8));
  }
}
