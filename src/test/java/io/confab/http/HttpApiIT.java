package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.account.AccountCommand;
import io.confab.account.PasswordProof;
import io.confab.account.PasswordSalt;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.message.Changed;
import io.confab.message.Draft;
import io.confab.message.MessageChange;
import io.confab.message.MessageCommand;
import io.confab.message.MessageCommand.Point;
import io.confab.message.Sent;
import io.confab.message.WriteCommand;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.EntityTag;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Secret;
import io.confab.protocol.SendFields;
import io.confab.protocol.Seq;
import io.confab.protocol.VisibleTo;
import io.confab.room.RoomCommand;
import io.confab.security.SecurityEvent;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each route of the API: which command it asks and what it answers, byte for byte.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpApiIT {
  private static final AccountId ALICE = ApiServer.ALICE.account();
  private static final AccountId BOB = new AccountId(2);
  private static final RoomId ROOM = new RoomId(7);
  private static final String BOB_ID = BOB.toString();
  private static final String ROOMS = "/v1/rooms/" + ROOM;
  private static final String BOB_JSON =
      "{\"account_id\":\"0000000000002\",\"handle\":\"bob\",\"display_name\":\"Bob\"}";
  private static final String ME_JSON =
      BOB_JSON.replace(
          "}",
          ",\"invites_from\":\"nobody\",\"presence_visible_to\":\"shared_rooms\","
              + "\"last_seen_visible_to\":\"shared_rooms\",\"private_reading\":false}");
  private static final String ROOM_JSON =
      "{\"room_id\":\"0000000000007\",\"type\":\"group\",\"name\":\"Tea\",\"role\":\"owner\","
          + "\"history\":\"all\",\"member_count\":2,\"receipts\":true,\"epoch\":1,\"seq\":3,\"rev\":5}";
  private static final String MEMBER_JSON =
      "{\"account_id\":\"0000000000002\",\"handle\":\"bob\",\"display_name\":\"Bob\","
          + "\"role\":\"member\",\"joined_at\":99}";
  private static final EntityTag TAG = new EntityTag("t");
  private static final AccountCommand.MeView BOB_VIEW =
      new AccountCommand.MeView(
          new AccountCommand.Me(
              BOB,
              "bob",
              "Bob",
              InvitesFrom.NOBODY,
              VisibleTo.SHARED_ROOMS,
              VisibleTo.SHARED_ROOMS,
              false),
          TAG);
  private static final PasswordProof PROOF = ApiServer.SALT.hash(new Secret("secret99")).proof();
  private static final String TOKENS_JSON =
      "{\"access_token\":\"aaa\",\"refresh_token\":\"rrr\",\"expires_in_s\":900,"
          + "\"account_id\":\"0000000000002\",\"device_id\":\"d\"}";

  private final ApiServer api = new ApiServer();

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void aSignUpSendsTheHashOfThePassword() {
    api.commands.clear();
    api.reply(new AccountCommand.Account(BOB, "bob", "Bob"));

    String body = "{\"handle\":\"bob\",\"password\":\"secret99\",\"display_name\":\"Bob\"}";
    HttpResponse<String> answer = api.post("/v1/accounts", body);

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo(BOB_JSON);
    var asked = (AccountCommand.SignUp) api.commands.getFirst();
    assertThat(asked.handle() + asked.displayName()).isEqualTo("bobBob");
    String phc = asked.password().phc();
    PasswordSalt salt = new PasswordSalt(phc.substring(0, phc.lastIndexOf('$')));
    assertThat(salt.hash(new Secret("secret99"))).isEqualTo(asked.password());
  }

  /// One call: what it asks the bus, what it is told, what it answers.
  record Route(
      String method,
      String path,
      @Nullable String body,
      Command<?> command,
      BusMessage reply,
      int status,
      String answer) {
    @Override
    public String toString() {
      return method + " " + path + " " + body;
    }
  }

  @ParameterizedTest
  @MethodSource({"accounts", "rooms", "messages"})
  void aRouteAsksItsCommandAndAnswersItsReply(Route route) {
    api.commands.clear();
    api.reply(route.reply());

    HttpResponse<String> answer = api.call(route.method(), route.path(), route.body());

    assertThat(answer.body()).isEqualTo(route.answer());
    assertThat(answer.statusCode()).isEqualTo(route.status());
    assertThat(api.commands).isEqualTo(List.of(route.command()));
    assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
    assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(answer.headers().firstValue("x-request-id").orElseThrow()).matches("[0-9a-f]{16}");
    assertThat(answer.headers().firstValue("server")).isEmpty();
    if (route.status() != 204) {
      assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    }
  }

  static Stream<Route> accounts() {
    var bob = new AccountCommand.Account(BOB, "bob", "Bob");
    var tokens =
        new AccountCommand.Tokens(
            new Secret("aaa"), new Secret("rrr"), Duration.ofMinutes(15), BOB, new DeviceId("d"));
    var found = new AccountCommand.Accounts(List.of(bob));
    return Stream.of(
        new Route(
            "POST",
            "/v1/tokens",
            "{\"handle\":\"bob\",\"password\":\"secret99\"}",
            new AccountCommand.SignIn("bob", PROOF, null, "127.0.0.1"),
            tokens,
            200,
            TOKENS_JSON),
        new Route(
            "POST",
            "/v1/tokens",
            "{\"handle\":\"bob\",\"password\":\"secret99\","
                + "\"device\":{\"device_id\":\"d\",\"name\":\"n\",\"platform\":\"p\"}}",
            new AccountCommand.SignIn(
                "bob", PROOF, new DeviceInfo(new DeviceId("d"), "n", "p"), "127.0.0.1"),
            tokens,
            200,
            TOKENS_JSON),
        new Route(
            "POST",
            "/v1/tokens/refresh",
            "{\"refresh_token\":\"rrr\"}",
            new AccountCommand.Refresh(new Secret("rrr"), "127.0.0.1"),
            tokens,
            200,
            TOKENS_JSON),
        new Route(
            "DELETE",
            "/v1/tokens",
            null,
            new AccountCommand.SignOut(ApiServer.SIGN_IN, null),
            new AccountCommand.SignedOut(true),
            204,
            ""),
        new Route(
            "POST",
            "/v1/tickets",
            null,
            new AccountCommand.IssueTicket(ApiServer.ALICE),
            new AccountCommand.Ticket(new Secret("ttt"), Duration.ofSeconds(30)),
            200,
            "{\"ticket\":\"ttt\",\"expires_in_s\":30}"),
        new Route("GET", "/v1/me", null, new AccountCommand.ReadMe(ALICE), BOB_VIEW, 200, ME_JSON),
        new Route(
            "GET",
            "/v1/accounts?ids=" + BOB_ID + ",nonsense," + BOB_ID + "," + ALICE,
            null,
            new AccountCommand.FindByIds(List.of(BOB, ALICE)),
            found,
            200,
            "{\"accounts\":[" + BOB_JSON + "]}"),
        new Route(
            "GET",
            "/v1/accounts?ids=nonsense",
            null,
            new AccountCommand.FindByIds(List.of()),
            new AccountCommand.Accounts(List.of()),
            200,
            "{\"accounts\":[]}"),
        new Route(
            "GET",
            "/v1/accounts?handle=bob",
            null,
            new AccountCommand.FindByHandle("bob"),
            found,
            200,
            "{\"accounts\":[" + BOB_JSON + "]}"));
  }

  static Stream<Route> rooms() {
    Room room =
        new Room(
            ROOM,
            RoomType.GROUP,
            "Tea",
            null,
            null,
            Role.OWNER,
            HistoryRule.ALL,
            null,
            null,
            null,
            null,
            2,
            true,
            null,
            new Epoch(1),
            new Seq(3),
            new Rev(5));
    var view = new RoomCommand.RoomView(room, TAG);
    var member = new RoomCommand.Member(BOB, "bob", "Bob", Role.MEMBER, 99, null);
    String group =
        "{\"type\":\"group\",\"name\":\"Tea\",\"description\":\"a\\nb\",\"members\":[\""
            + BOB_ID
            + "\"]}";
    String direct = "{\"type\":\"direct\",\"members\":[\"" + BOB_ID + "\"]}";
    var createDirect =
        new RoomCommand.CreateRoom(ALICE, RoomType.DIRECT, RoomSettings.named(null), List.of(BOB));
    return Stream.of(
        new Route(
            "GET",
            "/v1/rooms",
            null,
            new RoomCommand.ListRooms(ALICE, null, 100),
            new RoomCommand.Rooms(
                List.of(new RoomCommand.ListedRoom(room, new Seq(3), null, 0, 0, null)), null),
            200,
            "{\"rooms\":["
                + ROOM_JSON.replace("}", ",\"read_seq\":3,\"unread\":0,\"mentions\":0}")
                + "]}"),
        new Route(
            "GET",
            "/v1/rooms?after=" + ROOM,
            null,
            new RoomCommand.ListRooms(ALICE, ROOM, 100),
            new RoomCommand.Rooms(List.of(), ROOM),
            200,
            "{\"rooms\":[],\"next\":\"0000000000007\"}"),
        new Route(
            "POST",
            "/v1/rooms",
            group,
            new RoomCommand.CreateRoom(
                ALICE,
                RoomType.GROUP,
                new RoomSettings("Tea", "a\nb", null, null, null, null, null),
                List.of(BOB)),
            new RoomCommand.Created(room, true, List.of()),
            201,
            ROOM_JSON),
        new Route(
            "POST",
            "/v1/rooms",
            direct,
            createDirect,
            new RoomCommand.Created(room, false, List.of()),
            200,
            ROOM_JSON),
        new Route("GET", ROOMS, null, new RoomCommand.GetRoom(ALICE, ROOM), view, 200, ROOM_JSON),
        new Route(
            "GET",
            "/v1/channels?query=t%C3%A9&after=x",
            null,
            new RoomCommand.FindChannels(ALICE, "té", "x", 100),
            new RoomCommand.Channels(List.of(new RoomCommand.Channel(ROOM, "té", null, 4)), "té"),
            200,
            "{\"channels\":[{\"room_id\":\"0000000000007\",\"name\":\"té\",\"member_count\":4}],"
                + "\"next\":\"té\"}"),
        new Route(
            "GET",
            ROOMS + "/members?after=" + BOB_ID,
            null,
            new RoomCommand.ListMembers(ALICE, ROOM, BOB, 100),
            new RoomCommand.Members(List.of(member), null),
            200,
            "{\"members\":[" + MEMBER_JSON + "]}"),
        new Route(
            "PUT",
            ROOMS + "/members/" + BOB_ID,
            "{\"role\":\"member\"}",
            new RoomCommand.AddMember(ALICE, ROOM, BOB, Role.MEMBER),
            new RoomCommand.Addition(member),
            200,
            MEMBER_JSON),
        new Route(
            "PUT",
            ROOMS + "/members/" + BOB_ID,
            null,
            new RoomCommand.AddMember(ALICE, ROOM, BOB, null),
            new RoomCommand.Addition(member),
            200,
            MEMBER_JSON),
        new Route(
            "PUT",
            "/v1/rooms/" + BOB_ID + "/members/" + ROOM,
            null,
            new RoomCommand.AddMember(ALICE, new RoomId(2), new AccountId(7), null),
            new RoomCommand.Addition(member),
            200,
            MEMBER_JSON),
        new Route(
            "DELETE",
            ROOMS + "/members/" + BOB_ID,
            null,
            new RoomCommand.RemoveMember(ALICE, ROOM, BOB),
            Done.DONE,
            204,
            ""),
        new Route(
            "DELETE",
            ROOMS + "/members/me",
            null,
            new RoomCommand.RemoveMember(ALICE, ROOM, ALICE),
            Done.DONE,
            204,
            ""),
        new Route(
            "POST",
            ROOMS + "/join",
            "{}",
            new RoomCommand.Join(ALICE, ROOM),
            view,
            200,
            ROOM_JSON));
  }

  static Stream<Route> messages() {
    Message message =
        Message.sent(
            ROOM,
            new Seq(3),
            new Rev(5),
            BOB,
            new SendFields(new ClientId("c"), MessageType.TEXT, "hi", new Seq(1), null),
            null,
            99);
    var page =
        new MessageCommand.HistoryPage(
            List.of(message), true, false, new Epoch(1), new Seq(3), new Rev(5));
    String messageJson =
        "{\"room_id\":\"0000000000007\",\"seq\":3,\"rev\":5,"
            + "\"sender_id\":\"0000000000002\",\"client_id\":\"c\",\"msg_type\":\"text\","
            + "\"body\":\"hi\",\"reply_to\":1,\"ts\":99}";
    String pageJson =
        "{\"messages\":["
            + messageJson
            + "],\"has_older\":true,\"has_newer\":false,\"epoch\":1,\"seq\":3,\"rev\":5}";
    Draft draft =
        new Draft(ROOM, ALICE, new ClientId("c"), MessageType.TEXT, "hi", new Seq(1), "tea");
    String send = "{\"client_id\":\"c\",\"body\":\"hi\",\"reply_to\":1,\"topic\":\"tea\"}";
    return Stream.of(
        new Route(
            "GET",
            ROOMS + "/messages",
            null,
            MessageCommand.ReadHistory.newest(ALICE, ROOM, 50),
            page,
            200,
            pageJson),
        new Route(
            "GET",
            ROOMS + "/messages?before=9&limit=200",
            null,
            new MessageCommand.ReadHistory(ALICE, ROOM, Point.BEFORE, new Seq(9), 200),
            page,
            200,
            pageJson),
        new Route(
            "GET",
            ROOMS + "/messages?after=0&limit=1",
            null,
            new MessageCommand.ReadHistory(ALICE, ROOM, Point.AFTER, new Seq(0), 1),
            page,
            200,
            pageJson),
        new Route(
            "PATCH",
            ROOMS + "/messages/3",
            "{\"client_id\":\"e\",\"body\":\"hi\"}",
            new WriteCommand.Change(
                new MessageChange.Edit(ROOM, new Seq(3), ALICE, new ClientId("e"), "hi")),
            new Changed(new Rev(9), message),
            200,
            messageJson),
        new Route(
            "DELETE",
            ROOMS + "/messages/3",
            null,
            new WriteCommand.Change(new MessageChange.Deletion(ROOM, new Seq(3), ALICE)),
            new Changed(new Rev(9), message),
            200,
            messageJson),
        new Route(
            "GET",
            ROOMS + "/messages/3/versions",
            null,
            new MessageCommand.ReadVersions(ALICE, ROOM, new Seq(3), null, 50, false),
            new MessageCommand.Versions(List.of(new MessageCommand.Version("hi", 99)), null),
            200,
            "{\"versions\":[{\"body\":\"hi\",\"ts\":99}]}"),
        new Route(
            "GET",
            ROOMS + "/messages/3/versions?after=5",
            null,
            new MessageCommand.ReadVersions(ALICE, ROOM, new Seq(3), new Rev(5), 50, false),
            new MessageCommand.Versions(List.of(), "7"),
            200,
            "{\"versions\":[],\"next\":\"7\"}"),
        new Route(
            "GET",
            ROOMS + "/messages?around=7",
            null,
            new MessageCommand.ReadHistory(ALICE, ROOM, Point.AROUND, new Seq(7), 50),
            page,
            200,
            pageJson),
        new Route(
            "GET",
            ROOMS + "/messages?anchor=newest",
            null,
            MessageCommand.ReadHistory.newest(ALICE, ROOM, 50),
            page,
            200,
            pageJson),
        new Route(
            "GET",
            ROOMS + "/messages?anchor=oldest&limit=3",
            null,
            MessageCommand.ReadHistory.oldest(ALICE, ROOM, 3),
            page,
            200,
            pageJson),
        new Route(
            "GET",
            ROOMS + "/events?epoch=1&after_rev=4&limit=2",
            null,
            new MessageCommand.ReadLog(ALICE, ROOM, new Epoch(1), new Rev(4), 2, false),
            new MessageCommand.LogPage(
                new Epoch(1),
                true,
                List.of(
                    EventFrames.hidden(ROOM, new Rev(5), new Epoch(1)),
                    EventFrames.hidden(ROOM, new Rev(6), new Epoch(1))),
                new Rev(9),
                true),
            200,
            "{\"epoch\":1,\"recovered\":true,\"events\":["
                + "{\"type\":\"room.event\",\"room_id\":\"0000000000007\",\"rev\":5,\"epoch\":1,"
                + "\"kind\":\"hidden\"},"
                + "{\"type\":\"room.event\",\"room_id\":\"0000000000007\",\"rev\":6,\"epoch\":1,"
                + "\"kind\":\"hidden\"}],\"rev\":9,\"has_more\":true}"),
        sending(send, draft, false, 201),
        sending(send, draft, true, 200));
  }

  private static Route sending(String send, Draft draft, boolean duplicate, int status) {
    return new Route(
        "POST",
        ROOMS + "/messages",
        send,
        new WriteCommand.Send(draft),
        new Sent(ROOM, new ClientId("c"), new Seq(3), new Rev(5), 99, duplicate),
        status,
        "{\"room_id\":\"0000000000007\",\"client_id\":\"c\",\"seq\":3,\"rev\":5,\"ts\":99,"
            + "\"duplicate\":"
            + duplicate
            + "}");
  }

  private static MessageCommand.HistoryPage page(long from, long to, boolean hasNewer) {
    List<Message> messages =
        LongStream.rangeClosed(from, to)
            .mapToObj(
                seq ->
                    Message.sent(
                        ROOM,
                        new Seq(seq),
                        new Rev(seq),
                        BOB,
                        new SendFields(new ClientId("c" + seq), MessageType.TEXT, "b", null, null),
                        null,
                        1))
            .toList();
    return new MessageCommand.HistoryPage(
        messages, from > 1, hasNewer, new Epoch(1), new Seq(3), new Rev(5));
  }

  @Test
  void anExportEndsWithALineThatSaysThatItIsWhole() {
    api.replies(page(1, 2, true), page(3, 5, true)); // what came after the beginning is left out

    HttpResponse<String> answer = api.get(ROOMS + "/export");

    assertThat(answer.headers().firstValue("content-type")).contains("application/x-ndjson");
    assertThat(answer.body().lines().map(line -> line.replaceAll(",\"rev.*", "")))
        .containsExactly(
            "{\"room_id\":\"0000000000007\",\"seq\":1",
            "{\"room_id\":\"0000000000007\",\"seq\":2",
            "{\"room_id\":\"0000000000007\",\"seq\":3",
            "{\"end\":true,\"epoch\":1,\"seq\":3");
    assertThat(answer.body()).endsWith("\"seq\":3,\"rev\":5,\"count\":3}\n");
    assertThat(api.commands)
        .containsExactly(
            new MessageCommand.ReadHistory(ALICE, ROOM, Point.AFTER, Seq.ZERO, 200),
            new MessageCommand.ReadHistory(ALICE, ROOM, Point.AFTER, new Seq(2), 200));
  }

  @Test
  void anExportThatCannotGoOnHasNoEnd() {
    api.replies(page(1, 2, true)); // then the database is away

    assertThatThrownBy(() -> api.get(ROOMS + "/export")).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void headAnswersTheHeadersOfGetWithoutContent() {
    api.reply(BOB_VIEW);

    HttpResponse<String> answer = api.call("HEAD", "/v1/me", null);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("content-length"))
        .contains(Integer.toString(ME_JSON.length()));
  }

  @Test
  void onlyADeviceThatWasThereHasASignInThatEnds() {
    api.events.clear();
    api.reply(new AccountCommand.Forgotten(false));
    assertThat(api.call("DELETE", "/v1/devices/d", null).statusCode()).isEqualTo(204);
    assertThat(api.events).isEmpty();

    api.reply(new AccountCommand.Forgotten(true));
    assertThat(api.call("DELETE", "/v1/devices/d", null).statusCode()).isEqualTo(204);
    assertThat(api.events).containsExactly(SecurityEvent.SIGN_IN_ENDED);
  }

  @Test
  void optionsNamesTheMethodsOfAPath() {
    HttpResponse<String> answer = api.call("OPTIONS", "/v1/accounts", null);

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("allow")).contains("GET, HEAD, POST, OPTIONS");
  }
}
