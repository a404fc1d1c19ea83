package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A channel's log is said again: one connection for each nick, over two nodes.
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayIT {
  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(2);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  static Stream<ChatLog> logs() {
    return Stream.concat(ChatLog.real().stream(), Stream.of(ChatLog.made()));
  }

  /// A message as somebody saw it.
  private record Said(long seq, String senderId, String clientId, String body) {
    static Said of(JsonObject message) {
      return new Said(
          message.getLong("seq"),
          message.getString("sender_id"),
          message.getString("client_id"),
          message.getString("body"));
    }
  }

  @Test
  void linesThatSayNothingAreCountedAndNicksThatDifferInCaseAloneGetHandlesOfTheirOwn() {
    ChatLog log = ChatLog.made();
    assertThat(log.lines()).hasSize(400);
    assertThat(log.blank()).isEqualTo(9);
    assertThat(log.leftOut()).isEqualTo(9);
    assertThat(log.handles()).hasSize(30).doesNotContainValue("Ann");
    assertThat(log.handles().values()).doesNotHaveDuplicates().contains("nann", "nann-2");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("logs")
  void everybodySeesEachLineOnceInOrderAndASecondReplayAddsNothing(ChatLog log) throws Exception {
    Map<String, Person> people = signUp(log);
    String room = channelOf(log, people);
    Map<String, ChatClient> clients = connect(people);

    List<JsonObject> acks = replay(log, room, clients);
    assertThat(acks).noneMatch(ack -> ack.containsKey("duplicate"));
    List<Said> said = inOrder(log, people, acks);
    assertThat(said)
        .extracting(Said::seq)
        .isEqualTo(LongStream.rangeClosed(1, log.lines().size()).boxed().toList());
    assertEachSenderKeptItsOrder(log, acks);
    long rev = acks.stream().mapToLong(ack -> ack.getLong("rev")).max().orElseThrow();
    assertEverybodySaw(said, room, rev, clients);
    assertThat(history(room, people.values().iterator().next())).isEqualTo(said);
    assertThat(stored(room)).isEqualTo(said);

    List<JsonObject> again = replay(log, room, clients);
    assertThat(again).allMatch(ack -> ack.getBoolean("duplicate", false));
    assertThat(again).extracting(ack -> ack.getLong("seq")).isEqualTo(seqs(acks));
    assertThat(stored(room)).isEqualTo(said);
    String last = log.lines().getLast().nick();
    JsonObject fence = ChatClient.get(of(last, clients).send(room, log.name() + "-end", "the end"));
    List<Said> whole = new ArrayList<>(said);
    whole.add(
        new Said(
            fence.getLong("seq"), of(last, people).accountId(), log.name() + "-end", "the end"));
    assertEverybodySaw(whole, room, fence.getLong("rev"), clients);
    clients.values().forEach(ChatClient::cut);
  }

  private Map<String, Person> signUp(ChatLog log) {
    Map<String, String> handles = log.handles();
    Map<String, Person> people = new LinkedHashMap<>();
    for (String nick : log.nicks()) {
      people.put(nick, ApiClient.person(nodes.port(0), of(nick, handles), nick));
      JsonObject me = people.get(nick).at(nodes.port(1)).ok("GET", "/v1/me", null);
      assertThat(me.getString("display_name")).isEqualTo(nick);
      assertThat(me.getString("handle")).isEqualTo(of(nick, handles));
    }
    return people;
  }

  private static <T> T of(String nick, Map<String, T> byNick) {
    return Objects.requireNonNull(byNick.get(nick));
  }

  private String channelOf(ChatLog log, Map<String, Person> people) {
    List<Person> all = List.copyOf(people.values());
    String room = all.getFirst().at(nodes.port(0)).channel(log.name());
    all.stream().skip(1).forEach(person -> person.at(nodes.port(1)).join(room));
    return room;
  }

  private Map<String, ChatClient> connect(Map<String, Person> people) {
    Map<String, ChatClient> clients = new LinkedHashMap<>();
    people.forEach(
        (nick, person) ->
            clients.put(
                nick,
                ChatClient.live(nodes.vertx(), nodes.port(clients.size() % 2), person.token())));
    return clients;
  }

  /// Everybody says his lines without waiting for anybody; the answers in the order of the log.
  private static List<JsonObject> replay(
      ChatLog log, String room, Map<String, ChatClient> clients) {
    List<CompletableFuture<JsonObject>> answers = new ArrayList<>();
    for (ChatLog.Line line : log.lines()) {
      String clientId = log.name() + "-" + answers.size();
      answers.add(of(line.nick(), clients).send(room, clientId, line.text()));
    }
    List<JsonObject> acks = answers.stream().map(ChatClient::get).toList();
    assertThat(acks).allMatch(ack -> "message.ack".equals(ack.getString("type")));
    return acks;
  }

  private static List<Said> inOrder(
      ChatLog log, Map<String, Person> people, List<JsonObject> acks) {
    Said[] said = new Said[acks.size()];
    for (int i = 0; i < acks.size(); i++) {
      ChatLog.Line line = log.lines().get(i);
      long seq = acks.get(i).getLong("seq");
      String sender = of(line.nick(), people).accountId();
      said[(int) seq - 1] = new Said(seq, sender, log.name() + "-" + i, line.text());
    }
    return List.of(said); // refuses holes
  }

  private static List<Long> seqs(List<JsonObject> acks) {
    return acks.stream().map(ack -> ack.getLong("seq")).toList();
  }

  private static void assertEachSenderKeptItsOrder(ChatLog log, List<JsonObject> acks) {
    Map<String, Long> last = new LinkedHashMap<>();
    for (int i = 0; i < acks.size(); i++) {
      long seq = acks.get(i).getLong("seq");
      Long before = last.put(log.lines().get(i).nick(), seq);
      assertThat(before == null ? 0 : before).isLessThan(seq);
    }
  }

  private static void assertEverybodySaw(
      List<Said> said, String room, long rev, Map<String, ChatClient> clients) {
    clients.forEach(
        (nick, client) -> {
          client.awaitRev(room, rev);
          List<Said> saw =
              client.events(room).stream()
                  .filter(event -> "message.receive".equals(event.getString("type")))
                  .map(Said::of)
                  .toList();
          assertThat(saw).as("what %s saw", nick).isEqualTo(said);
        });
  }

  private List<Said> history(String room, Person reader) {
    List<Said> messages = new ArrayList<>();
    JsonObject page;
    do {
      String path = "/v1/rooms/" + room + "/messages?limit=200&after=" + messages.size();
      page = reader.at(nodes.port(1)).ok("GET", path, null);
      page.getJsonArray("messages").forEach(m -> messages.add(Said.of((JsonObject) m)));
    } while (page.getBoolean("has_newer"));
    return messages;
  }

  private List<Said> stored(String room) throws SQLException {
    String sql =
        """
        SELECT m.seq, m.sender_id, m.client_id, m.body FROM message m
         WHERE m.room_id = %d ORDER BY m.seq\
        """
            .formatted(RoomId.parse(room).value());
    List<Said> messages = new ArrayList<>();
    try (var connection = TestDatabase.connect(nodes.database().url());
        var rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        String sender = new AccountId(rows.getLong(2)).toString();
        messages.add(new Said(rows.getLong(1), sender, rows.getString(3), rows.getString(4)));
      }
    }
    return messages;
  }
}
