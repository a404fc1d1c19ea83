package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Refusal;
import io.confab.room.RoomRelation;
import io.confab.room.RoomRight;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every cell of the table of rights that is about messages, over every path: what the database
/// decides is what [RoomRight] says.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MessageRightsIT {
  private static final List<RoomRight> RIGHTS =
      List.of(
          RoomRight.EDIT_OWN_MESSAGE,
          RoomRight.EDIT_ANY_MESSAGE,
          RoomRight.DELETE_OWN_MESSAGE,
          RoomRight.DELETE_ANY_MESSAGE);

  private final Map<RoomRelation, String> rooms = new EnumMap<>(RoomRelation.class);
  private Nodes nodes;
  private Person caller;
  private Person other;
  private ChatClient socket;
  private ChatClient otherSocket;
  private int made;

  /// For each standing a room in which the caller has it, or will once it has spoken.
  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
    caller = ApiClient.person(nodes.port(0), "caller", "Caller");
    other = ApiClient.person(nodes.port(0), "other", "Other");
    for (RoomRelation standing : RoomRelation.values()) {
      rooms.put(standing, room(standing));
    }
    socket = ChatClient.live(nodes.vertx(), nodes.port(0), caller.token());
    otherSocket = ChatClient.live(nodes.vertx(), nodes.port(0), other.token());
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private String room(RoomRelation standing) {
    String type =
        switch (standing) {
          case PARTNER -> "direct";
          case VISITOR -> "channel";
          case OWNER, ADMIN, MEMBER, STRANGER, BANNED -> "group";
        };
    JsonObject body =
        new JsonObject().put("type", type).put("members", new JsonArray().add(caller.accountId()));
    if (standing != RoomRelation.PARTNER) {
      body.put("name", "of " + standing);
    }
    String room = other.at(nodes.port(0)).ok("POST", "/v1/rooms", body).getString("room_id");
    if (standing == RoomRelation.OWNER || standing == RoomRelation.ADMIN) {
      other
          .at(nodes.port(0))
          .ok(
              "PUT",
              membership(room),
              new JsonObject().put("role", standing.name().toLowerCase(Locale.ROOT)));
    }
    return room;
  }

  static Stream<Arguments> cells() {
    return RIGHTS.stream()
        .flatMap(
            right ->
                Stream.of(RoomRelation.values())
                    .flatMap(
                        standing ->
                            Stream.of("socket", "http")
                                .map(path -> Arguments.of(right, standing, path))));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theDatabaseDecidesAsTheTableSays(RoomRight right, RoomRelation standing, String path) {
    String room = Objects.requireNonNull(rooms.get(standing));
    boolean own = right == RoomRight.EDIT_OWN_MESSAGE || right == RoomRight.DELETE_OWN_MESSAGE;
    boolean edit = right == RoomRight.EDIT_OWN_MESSAGE || right == RoomRight.EDIT_ANY_MESSAGE;
    made++;
    long seq =
        ChatClient.get((own ? socket : otherSocket).send(room, "m" + made, "words")).getLong("seq");
    standAside(room, standing);
    try {
      assertThat(path.equals("socket") ? overSocket(edit, room, seq) : overHttp(edit, room, seq))
          .isEqualTo(verdict(right, standing));
    } finally {
      comeBack(room, standing);
    }
  }

  /// The caller becomes what it is to be, once it has spoken as a member.
  private void standAside(String room, RoomRelation standing) {
    ApiClient owner = other.at(nodes.port(0));
    switch (standing) {
      case OWNER, ADMIN, MEMBER, PARTNER -> {}
      case VISITOR, STRANGER -> owner.ok("DELETE", membership(room), null);
      case BANNED -> owner.ok("PUT", ban(room), null);
    }
  }

  private void comeBack(String room, RoomRelation standing) {
    ApiClient owner = other.at(nodes.port(0));
    switch (standing) {
      case OWNER, ADMIN, MEMBER, PARTNER -> {}
      case VISITOR, STRANGER -> owner.ok("PUT", membership(room), null);
      case BANNED -> {
        owner.ok("DELETE", ban(room), null);
        owner.ok("PUT", membership(room), null);
      }
    }
  }

  private String membership(String room) {
    return "/v1/rooms/" + room + "/members/" + caller.accountId();
  }

  private String ban(String room) {
    return "/v1/rooms/" + room + "/bans/" + caller.accountId();
  }

  private static String verdict(RoomRight right, RoomRelation standing) {
    try {
      right.require(standing, false);
      return "yes";
    } catch (Refusal refusal) {
      return refusal.code().wire();
    }
  }

  private String overSocket(boolean edit, String room, long seq) {
    JsonObject answer =
        ChatClient.get(edit ? socket.edit(room, seq, "e" + made, "new") : socket.delete(room, seq));
    return answer.getString("type").equals("ok") ? "yes" : answer.getString("code");
  }

  private String overHttp(boolean edit, String room, long seq) {
    String message = "/v1/rooms/" + room + "/messages/" + seq;
    JsonObject body = new JsonObject().put("client_id", "e" + made).put("body", "new");
    Answer answer =
        caller.at(nodes.port(0)).call(edit ? "PATCH" : "DELETE", message, edit ? body : null);
    return answer.status() == 200 ? "yes" : answer.code();
  }
}
