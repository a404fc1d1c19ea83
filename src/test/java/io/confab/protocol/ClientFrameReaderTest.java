package io.confab.protocol;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ClientFrame.Bye;
import io.confab.protocol.ClientFrame.EnvelopeSend;
import io.confab.protocol.ClientFrame.Hello;
import io.confab.protocol.ClientFrame.MessageDelete;
import io.confab.protocol.ClientFrame.MessageEdit;
import io.confab.protocol.ClientFrame.MessageSend;
import io.confab.protocol.ClientFrame.Ping;
import io.confab.protocol.ClientFrame.PresenceSet;
import io.confab.protocol.ClientFrame.PresenceWatch;
import io.confab.protocol.ClientFrame.QueueAck;
import io.confab.protocol.ClientFrame.QueueOpen;
import io.confab.protocol.ClientFrame.QueueReject;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.ClientFrame.Token;
import io.confab.protocol.ClientFrame.Typing;
import io.confab.protocol.ClientFrame.TypingStop;
import io.confab.socket.FrameTable;
import io.confab.socket.FrameTable.Request;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientFrameReaderTest {
  private static final String HELLO =
      """
      {"type":"hello","id":"1","ticket":"t",
       "device":{"device_id":"d","name":"Laptop","platform":"web"}}\
      """;
  private static final String RESUME =
      """
      {"type":"resume","id":"2","last":true,"rooms":[
       {"room_id":"a","epoch":1,"rev":0},{"room_id":"b","epoch":1,"rev":5},
       {"room_id":"c","epoch":1,"rev":6},{"room_id":"d","epoch":2,"rev":7}]}\
      """;
  private static final String SEND =
      """
      {"type":"message.send","id":"3","room_id":"r","client_id":"c-1","body":"Hello","local_id":"l",
       "msg_type":"text","reply_to":4,"topic":"News"}\
      """;
  private static final String EDIT =
      "{\"type\":\"message.edit\",\"id\":\"5\",\"room_id\":\"r\",\"seq\":4,"
          + "\"client_id\":\"e-1\",\"body\":\"Hi\"}";
  private static final String DELETE =
      "{\"type\":\"message.delete\",\"id\":\"6\",\"room_id\":\"r\",\"seq\":4}";
  private static final String TYPING = "{\"type\":\"typing\",\"id\":\"8\",\"room_id\":\"r\"}";
  private static final String READ =
      "{\"type\":\"read\",\"id\":\"10\",\"room_id\":\"r\",\"seq\":3}";
  private static final String DELIVERED =
      "{\"type\":\"delivered\",\"id\":\"11\",\"room_id\":\"r\",\"seq\":3}";
  private static final String MARK_UNREAD =
      "{\"type\":\"mark_unread\",\"id\":\"12\",\"room_id\":\"r\",\"seq\":2}";
  private static final String TYPING_STOP =
      "{\"type\":\"typing.stop\",\"id\":\"9\",\"room_id\":\"r\"}";
  private static final String WATCH =
      "{\"type\":\"presence.watch\",\"id\":\"10\",\"accounts\":[\"0000000000011\"],"
          + "\"rooms\":[\"r\"]}";
  private static final String SET =
      "{\"type\":\"presence.set\",\"id\":\"11\",\"status\":\"away\",\"text\":\"Lunch\"}";
  private static final String TOKEN = "{\"type\":\"token\",\"id\":\"7\",\"token\":\"t\"}";
  private static final String PING = "{\"type\":\"ping\",\"id\":\"4\"}";
  private static final String ENTER =
      "{\"type\":\"room.enter\",\"id\":\"6\",\"room_id\":\"r\",\"place\":\"p\"}";
  private static final String EXIT = "{\"type\":\"room.exit\",\"id\":\"7\",\"room_id\":\"r\"}";
  private static final String OPEN =
      "{\"type\":\"queue.open\",\"id\":\"15\",\"epoch\":1,\"after\":6}";
  private static final String ACK = "{\"type\":\"queue.ack\",\"id\":\"16\",\"queue_seq\":7}";
  private static final String REJECT =
      "{\"type\":\"queue.reject\",\"id\":\"17\",\"queue_seq\":7,\"reason\":\"r\"}";
  private static final String BYE = "{\"type\":\"bye\",\"id\":\"5\"}";

  private final FrameTable reader = new FrameTable(100, 4);

  private ClientFrame frame(String text) {
    Request request = reader.read(text);
    assertThat(request.refusal()).isNull();
    return requireNonNull(request.frame());
  }

  private Request refused(String text, ErrorCode code, String field) {
    Request request = reader.read(text);
    assertThat(request.frame()).as(text).isNull();
    Refusal refusal = requireNonNull(request.refusal());
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.field()).contains(field);
    return request;
  }

  @Test
  void readsEveryFrame() {
    assertThat(frame(HELLO))
        .isEqualTo(
            new Hello(new Secret("t"), null, new DeviceInfo(new DeviceId("d"), "Laptop", "web")));
    assertThat(frame("{\"type\":\"hello\",\"token\":\"t\"}"))
        .isEqualTo(new Hello(null, new Secret("t"), null));
    assertThat(frame("{\"type\":\"hello\"}")).isEqualTo(new Hello(null, null, null));
    assertThat(frame(RESUME))
        .isEqualTo(
            new Resume(
                List.of(
                    new RoomPoint("a", new Epoch(1), new Rev(0)),
                    new RoomPoint("b", new Epoch(1), new Rev(5)),
                    new RoomPoint("c", new Epoch(1), new Rev(6)),
                    new RoomPoint("d", new Epoch(2), new Rev(7))),
                true));
    assertThat(frame("{\"type\":\"resume\"}")).isEqualTo(new Resume(List.of(), false));
    assertThat(frame(SEND))
        .isEqualTo(
            new MessageSend(
                "r",
                new SendFields(new ClientId("c-1"), MessageType.TEXT, "Hello", new Seq(4), "News"),
                "l"));
    assertThat(
            frame(
                "{\"type\":\"message.send\",\"room_id\":\"r\",\"client_id\":\"c\",\"body\":\"b\"}"))
        .isEqualTo(
            new MessageSend(
                "r", new SendFields(new ClientId("c"), MessageType.TEXT, "b", null, null), null));
    assertThat(frame(EDIT)).isEqualTo(new MessageEdit("r", new Seq(4), new ClientId("e-1"), "Hi"));
    assertThat(frame(DELETE)).isEqualTo(new MessageDelete("r", new Seq(4)));
    assertThat(frame(TYPING)).isEqualTo(new Typing("r"));
    assertThat(frame(TYPING_STOP)).isEqualTo(new TypingStop("r"));
    assertThat(frame(READ)).isEqualTo(new ClientFrame.Read("r", new Seq(3)));
    assertThat(frame(DELIVERED)).isEqualTo(new ClientFrame.Delivered("r", new Seq(3)));
    assertThat(frame(MARK_UNREAD)).isEqualTo(new ClientFrame.MarkUnread("r", new Seq(2)));
    assertThat(frame(WATCH))
        .isEqualTo(new PresenceWatch(List.of(AccountId.parse("0000000000011")), List.of("r")));
    assertThat(frame(SET)).isEqualTo(new PresenceSet(PresenceStatus.AWAY, "Lunch"));
    assertThat(frame(TOKEN)).isEqualTo(new Token(new Secret("t")));
    assertThat(frame(PING)).isEqualTo(new Ping());
    assertThat(frame(ENTER)).isEqualTo(new ClientFrame.RoomEnter("r", "p"));
    assertThat(frame(EXIT)).isEqualTo(new ClientFrame.RoomExit("r"));
    assertThat(frame(OPEN)).isEqualTo(new QueueOpen(new Epoch(1), new QueueSeq(6)));
    assertThat(frame(ACK)).isEqualTo(new QueueAck(new QueueSeq(7)));
    assertThat(frame(REJECT)).isEqualTo(new QueueReject(new QueueSeq(7), "r"));
    assertThat(frame(BYE)).isEqualTo(new Bye());
  }

  @Test
  void everyFrameIsTried() {
    assertThat(ClientFrame.class.getPermittedSubclasses())
        .containsExactlyInAnyOrder(
            Hello.class,
            Resume.class,
            MessageSend.class,
            MessageEdit.class,
            MessageDelete.class,
            Typing.class,
            TypingStop.class,
            ClientFrame.Read.class,
            ClientFrame.Delivered.class,
            ClientFrame.MarkUnread.class,
            ClientFrame.RoomEnter.class,
            ClientFrame.RoomExit.class,
            PresenceWatch.class,
            PresenceSet.class,
            Token.class,
            Ping.class,
            EnvelopeSend.class,
            QueueOpen.class,
            QueueAck.class,
            QueueReject.class,
            Bye.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HELLO,
        RESUME,
        SEND,
        EDIT,
        DELETE,
        TYPING,
        TYPING_STOP,
        READ,
        DELIVERED,
        MARK_UNREAD,
        ENTER,
        EXIT,
        WATCH,
        SET,
        TOKEN,
        PING,
        OPEN,
        ACK,
        REJECT,
        BYE
      })
  void theIdComesWithTheFrame(String text) {
    assertThat(reader.read(text).id()).isEqualTo(new JsonObject(text).getString("id"));
    JsonObject without = new JsonObject(text);
    without.remove("id");
    assertThat(reader.read(without.encode()).id()).isNull();
  }

  /// Every field of every frame with every type that it may not have.
  private static Stream<Wrong> wrongTypes() {
    List<Wrong> all = new ArrayList<>();
    for (String frame :
        List.of(
            HELLO,
            RESUME,
            SEND,
            EDIT,
            DELETE,
            TYPING,
            TYPING_STOP,
            READ,
            DELIVERED,
            MARK_UNREAD,
            ENTER,
            EXIT,
            WATCH,
            SET,
            TOKEN,
            PING,
            OPEN,
            ACK,
            REJECT,
            BYE)) {
      collect(frame, new JsonObject(frame), "", new ArrayList<>(), all);
    }
    return all.stream();
  }

  private record Wrong(String frame, String field, String text) {}

  private static void collect(
      String frame, Object at, String path, List<Object> way, List<Wrong> all) {
    if (!path.isEmpty()) {
      for (String value : List.of("null", "7", "1.5", "true", "\"x\"", "[]", "{}")) {
        Object wrong = Json.decodeValue(value);
        if (!sameType(at, wrong)) {
          all.add(new Wrong(frame, path, replace(frame, way, wrong)));
        }
      }
    }
    String prefix = path.isEmpty() ? "" : path + ".";
    switch (at) {
      case JsonObject object ->
          object.forEach(
              e -> collect(frame, e.getValue(), prefix + e.getKey(), with(way, e.getKey()), all));
      case JsonArray array -> {
        for (int i = 0; i < array.size(); i++) {
          collect(frame, array.getValue(i), path + "[" + i + "]", with(way, i), all);
        }
      }
      default -> {}
    }
  }

  private static List<Object> with(List<Object> way, Object step) {
    List<Object> longer = new ArrayList<>(way);
    longer.add(step);
    return longer;
  }

  private static boolean sameType(Object expected, Object value) {
    return value != null
        && (expected.getClass() == value.getClass()
            || (expected instanceof Long && value instanceof Integer));
  }

  private static String replace(String frame, List<Object> way, Object value) {
    JsonObject root = new JsonObject(frame);
    Object at = root;
    for (Object step : way.subList(0, way.size() - 1)) {
      at =
          at instanceof JsonArray array
              ? array.getValue((int) step)
              : ((JsonObject) at).getValue((String) step);
    }
    Object last = way.getLast();
    if (at instanceof JsonArray array) {
      array.set((int) last, value);
    } else {
      ((JsonObject) at).put((String) last, value);
    }
    return root.encode();
  }

  @ParameterizedTest
  @MethodSource("wrongTypes")
  void aFieldOfAnotherTypeIsRefusedByItsPath(Wrong wrong) {
    refused(wrong.text(), ErrorCode.INVALID_FIELD, wrong.field());
  }

  /// Every object of every frame with a field more.
  @ParameterizedTest
  @CsvSource({"x", "device.x", "rooms[3].x"})
  void anUnknownFieldIsRefusedByItsPath(String path) {
    String added = "\"x\":1,";
    String text =
        switch (path) {
          case "device.x" -> HELLO.replace("\"device_id\"", added + "\"device_id\"");
          case "rooms[3].x" -> RESUME.replace("\"room_id\":\"d\"", added + "\"room_id\":\"d\"");
          default -> SEND.replace("\"type\"", added + "\"type\"");
        };
    refused(text, ErrorCode.INVALID_FIELD, path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        HELLO,
        RESUME,
        SEND,
        EDIT,
        DELETE,
        TYPING,
        TYPING_STOP,
        READ,
        DELIVERED,
        MARK_UNREAD,
        ENTER,
        EXIT,
        WATCH,
        SET,
        TOKEN,
        PING,
        OPEN,
        ACK,
        REJECT,
        BYE
      })
  void noFrameTakesAFieldOfAnother(String text) {
    refused(
        new JsonObject(text).put("expires_in_s", 1).encode(),
        ErrorCode.INVALID_FIELD,
        "expires_in_s");
  }

  @ParameterizedTest
  @CsvSource({
    "hello,device.name",
    "hello,device.platform",
    "resume,rooms[0].room_id",
    "resume,rooms[0].epoch",
    "resume,rooms[0].rev",
    "message.send,room_id",
    "message.send,client_id",
    "message.send,body",
    "queue.open,after",
    "queue.ack,queue_seq",
    "queue.reject,reason"
  })
  void aMissingFieldIsRefusedByItsPath(String type, String path) {
    JsonObject frame =
        new JsonObject(
            switch (type) {
              case "hello" -> HELLO;
              case "resume" -> RESUME;
              case "queue.open" -> OPEN;
              case "queue.ack" -> ACK;
              case "queue.reject" -> REJECT;
              default -> SEND;
            });
    String name = path.substring(path.lastIndexOf('.') + 1);
    JsonObject holder =
        switch (type) {
          case "hello" -> frame.getJsonObject("device");
          case "resume" -> frame.getJsonArray("rooms").getJsonObject(0);
          default -> frame;
        };
    holder.remove(name);
    refused(frame.encode(), ErrorCode.INVALID_FIELD, path);
  }

  @Test
  void valuesHaveTheirRules() {
    refused(HELLO.replace("Laptop", "\\u0000"), ErrorCode.INVALID_FIELD, "device.name");
    refused(HELLO.replace("\"d\"", "\"ä\""), ErrorCode.INVALID_FIELD, "device.device_id");
    refused(HELLO.replace("\"t\"", "\"t\",\"token\":\"t\""), ErrorCode.INVALID_FIELD, "ticket");
    refused(RESUME.replace("\"rev\":7", "\"rev\":-1"), ErrorCode.INVALID_FIELD, "rooms[3].rev");
    refused(
        RESUME.replace("[\n", "[{\"room_id\":\"e\",\"epoch\":1,\"rev\":0},\n"),
        ErrorCode.INVALID_FIELD,
        "rooms");
    refused(SEND.replace("\"text\"", "\"image\""), ErrorCode.INVALID_FIELD, "msg_type");
    refused(SEND.replace("\"text\"", "\"system\""), ErrorCode.INVALID_FIELD, "msg_type");
    refused(SEND.replace("4", "0"), ErrorCode.INVALID_FIELD, "reply_to");
    refused(SEND.replace("News", " "), ErrorCode.INVALID_FIELD, "topic");
    refused(SEND.replace("Hello", " "), ErrorCode.INVALID_FIELD, "body");
    refused(SEND.replace("Hello", "x".repeat(101)), ErrorCode.TOO_LARGE, "body");
    refused(SEND.replace("Hello", "ä".repeat(51)), ErrorCode.TOO_LARGE, "body");
    refused(SEND.replace("Hello", "漢".repeat(34)), ErrorCode.TOO_LARGE, "body");
    refused(SEND.replace("Hello", "😀".repeat(26)), ErrorCode.TOO_LARGE, "body");
    refused(SEND.replace("c-1", "x".repeat(65)), ErrorCode.INVALID_FIELD, "client_id");
    refused(SEND.replace("\"l\"", "\"\""), ErrorCode.INVALID_FIELD, "local_id");
    refused(PING.replace("\"4\"", "\"" + "x".repeat(65) + "\""), ErrorCode.INVALID_FIELD, "id");
    assertThat(frame(SEND.replace("Hello", "ä".repeat(50)))).isNotNull();
  }

  @Test
  void halfASurrogatePairIsRefusedWhereverItStands() {
    refused(SEND.replace("Hello", "\\ud83d"), ErrorCode.INVALID_FIELD, "body");
    refused(SEND.replace("c-1", "\\ud83d"), ErrorCode.INVALID_FIELD, "client_id");
    refused(PING.replace("\"4\"", "\"\\udc00\""), ErrorCode.INVALID_FIELD, "id");
    refused(RESUME.replace("\"c\"", "\"\\ud83d\""), ErrorCode.INVALID_FIELD, "rooms[2].room_id");
  }

  @Test
  void anUnknownTypeIsRefusedByItsOwnCode() {
    refused("{\"type\":\"typing.start\"}", ErrorCode.UNKNOWN_TYPE, "type");
    refused("{\"type\":\"\"}", ErrorCode.UNKNOWN_TYPE, "type");
    refused("{}", ErrorCode.INVALID_FIELD, "type");
  }

  @Test
  void aRefusalNamesTheRequestWhereItCanBeRead() {
    Request request = refused(SEND.replace("Hello", " "), ErrorCode.INVALID_FIELD, "body");
    assertThat(request.id()).isEqualTo("3");
    assertThat(request.clientId()).isEqualTo(new ClientId("c-1"));

    Request unknown = reader.read("{\"type\":\"no\",\"id\":\"9\",\"client_id\":\"c\"}");
    assertThat(unknown.id()).isEqualTo("9");
    assertThat(unknown.clientId()).isEqualTo(new ClientId("c"));

    Request unreadable =
        reader.read("{\"type\":\"no\",\"id\":9,\"client_id\":\"" + "x".repeat(65) + "\"}");
    assertThat(unreadable.id()).isNull();
    assertThat(unreadable.clientId()).isNull();
  }

  @Test
  void whatIsNoObjectIsRefusedAtOnce() {
    for (String text : List.of("", "[]", "{\"id\":\"1\",\"id\":\"1\"}", PING + PING)) {
      Request request = reader.read(text);
      assertThat(requireNonNull(request.refusal()).code()).isEqualTo(ErrorCode.INVALID_JSON);
      assertThat(request.id()).isNull();
    }
  }

  @Test
  void aTicketIsNotShownInText() {
    assertThat(frame(HELLO).toString()).doesNotContain("ticket=Secret[t").contains("***");
  }
}
