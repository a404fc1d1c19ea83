package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.ChatMessage;
import io.confab.client.ConfabApi;
import io.confab.client.HistoryPage;
import io.confab.client.HistoryQuery;
import io.confab.client.PendingSend;
import io.confab.client.SentMessage;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.scenario.Nodes;
import io.confab.scenario.Talker;
import io.confab.testing.Futures;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.SocketCuts;
import io.vertx.core.Future;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Four channels' logs are said again at once over two nodes while connections are cut.
///
/// With `-Dconfab.logs=whole` each nick is a person of its own and every line is said; otherwise
/// 25 people share the nicks of a log and say its first 400 lines.
@Timeout(300)
class FourLogsIT {
  private static final boolean WHOLE = "whole".equals(System.getProperty("confab.logs"));
  private static final int LINES = WHOLE ? Integer.MAX_VALUE : 400;
  private static final int PEOPLE = WHOLE ? Integer.MAX_VALUE : 25;
  private static final int PIECES = 8;
  private static final long CUT_EVERY_MS = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(2_004);
  private final AtomicInteger cuts = new AtomicInteger();
  private Nodes nodes;
  private List<SocketCuts> relays;

  @BeforeEach
  void start() {
    nodes = Nodes.start(2);
    relays = List.of(new SocketCuts(nodes.port(0)), new SocketCuts(nodes.port(1)));
  }

  @AfterEach
  void stop() {
    nodes.close();
    relays.forEach(SocketCuts::close);
  }

  /// A message as somebody saw it.
  private record Said(long seq, AccountId sender, String clientId, String body) {
    static Said of(ChatMessage message) {
      return new Said(
          message.seq().value(),
          message.senderId(),
          message.clientId().value(),
          String.valueOf(message.body()));
    }
  }

  /// One log, the room where it is said, who says it, and what became of each line so far.
  private record Talk(
      ChatLog log, RoomId room, List<Talker> talkers, List<Talker> nicks, List<PendingSend> sends) {
    void say(int piece) {
      int to = (int) ((long) log.lines().size() * (piece + 1) / PIECES);
      while (sends.size() < to) {
        Talker talker = nicks.get(sends.size());
        sends.add(talker.client().send(room, log.lines().get(sends.size()).text()));
      }
    }
  }

  @Test
  void whileConnectionsAreCutEverybodySeesTheSameLogAsHistoryAndTheDatabase() throws Exception {
    List<Talk> talks = ChatLog.four(LINES).stream().map(this::gather).toList();
    assertThat(talks).hasSize(4);
    List<Talker> watchers = List.of(watcher(0, talks), watcher(1, talks));
    List<Talker> everybody = new ArrayList<>(watchers);
    talks.forEach(talk -> everybody.addAll(talk.talkers()));
    Futures.get(Future.all(everybody.stream().map(Talker::connect).toList()));

    sayAll(talks);
    assertThat(cuts.get()).isGreaterThanOrEqualTo(PIECES / 2);
    for (Talk talk : talks) {
      List<Said> said = inOrder(talk);
      for (Talker talker : talk.talkers()) {
        assertSaw(talker, talk, said);
      }
      for (Talker watcher : watchers) {
        assertSaw(watcher, talk, said);
      }
      assertThat(history(talk)).isEqualTo(said);
      assertThat(stored(talk.room())).isEqualTo(said);
    }
    assertThat(everybody).allSatisfy(talker -> assertThat(talker.resets()).isZero());
    everybody.forEach(Talker::close);
  }

  /// The first ones to come out of the log make and join its room.
  private Talk gather(ChatLog log) {
    List<String> nicks = List.copyOf(log.nicks());
    int count = Math.min(PEOPLE, nicks.size());
    List<Talker> talkers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      talkers.add(talker("p" + i + "-" + log.name().replaceAll("[^a-z0-9]", ""), i));
    }
    RoomId room = Futures.get(talkers.getFirst().api().createChannel(log.name(), null)).roomId();
    talkers.stream().skip(1).forEach(talker -> Futures.get(talker.api().join(room)));
    List<Talker> byLine =
        log.lines().stream().map(line -> talkers.get(nicks.indexOf(line.nick()) % count)).toList();
    return new Talk(log, room, talkers, byLine, new CopyOnWriteArrayList<>());
  }

  private Talker watcher(int number, List<Talk> talks) {
    Talker watcher = talker("watcher" + number, number);
    talks.forEach(talk -> Futures.get(watcher.api().join(talk.room())));
    return watcher;
  }

  private Talker talker(String handle, int number) {
    int first = relays.get(number % 2).port();
    int second = relays.get((number + 1) % 2).port();
    return Talker.signUp(nodes.vertx(), handle, List.of(first, second));
  }

  /// Piece by piece, each followed by a cut in its midst; done when every line is stored.
  private void sayAll(List<Talk> talks) {
    AtomicInteger pieces = new AtomicInteger();
    Runnable next =
        () -> {
          int piece = pieces.getAndIncrement();
          if (piece < PIECES) {
            talks.forEach(talk -> talk.say(piece));
            cuts.addAndGet(relays.get(piece % 2).cut(random));
          } else {
            relays.forEach(SocketCuts::endCuts);
          }
        };
    var context = nodes.vertx().getOrCreateContext();
    context.runOnContext(
        _ -> {
          next.run();
          nodes.vertx().setPeriodic(CUT_EVERY_MS, _ -> next.run());
        });
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                talks.stream()
                    .allMatch(
                        talk ->
                            talk.sends().size() == talk.log().lines().size()
                                && talk.sends().stream()
                                    .noneMatch(send -> send.state() == PendingSend.State.QUEUED)));
  }

  private static List<Said> inOrder(Talk talk) {
    Said[] said = new Said[talk.sends().size()];
    for (int i = 0; i < said.length; i++) {
      PendingSend send = talk.sends().get(i);
      SentMessage sent = Futures.get(send.sent());
      said[(int) sent.seq().value() - 1] =
          new Said(
              sent.seq().value(),
              talk.nicks().get(i).account(),
              send.clientId().value(),
              send.body());
    }
    return List.of(said); // refuses holes
  }

  private static void assertSaw(Talker talker, Talk talk, List<Said> said) {
    await().atMost(PATIENCE).until(() -> talker.saw(talk.room()).size() >= said.size());
    assertThat(talker.saw(talk.room()).stream().map(Said::of))
        .as("what %s saw of %s", talker.account(), talk.log().name())
        .isEqualTo(said);
  }

  private static List<Said> history(Talk talk) {
    ConfabApi reader = talk.talkers().getLast().api();
    List<Said> messages = new ArrayList<>();
    HistoryPage page;
    do {
      HistoryQuery query = HistoryQuery.after(new Seq(messages.size())).limit(200);
      page = Futures.get(reader.history(talk.room(), query));
      page.messages().forEach(message -> messages.add(Said.of(message)));
    } while (page.hasNewer());
    return messages;
  }

  private List<Said> stored(RoomId room) throws SQLException {
    String sql =
        "SELECT seq, sender_id, client_id, body FROM message WHERE room_id = %d ORDER BY seq"
            .formatted(room.value());
    List<Said> messages = new ArrayList<>();
    try (var connection = TestDatabase.connect(nodes.database().url());
        var rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        AccountId sender = new AccountId(rows.getLong(2));
        messages.add(new Said(rows.getLong(1), sender, rows.getString(3), rows.getString(4)));
      }
    }
    return messages;
  }
}
