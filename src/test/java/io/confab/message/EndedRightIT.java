package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.draft;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand;
import io.confab.room.RoomNode;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Members lose the right to speak while they speak as fast as they can, from two nodes at
/// once: a message has a number if and only if it comes before the event that ended the right.
/// All is judged by the room's log, whose order is the only one. `-Dconfab.races=1000` runs
/// more races.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class EndedRightIT {
  private static final int RACES = Integer.getInteger("confab.races", 30);
  private static final int NODES = 2;
  private static final int WAIT_S = 90;
  private static final long LATER = 4_000_000_000_000L;
  private static final AccountId OWNER = new AccountId(1);
  private static final AccountId SPEAKER = new AccountId(2);

  private final Vertx vertx;
  private final Random random = new Random(5);
  private final List<AppendStore> logs = new ArrayList<>();
  private TestDatabase database;
  private RoomNode node;
  private Connection table;

  EndedRightIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void open() throws SQLException {
    database = TestDatabase.create();
    table = TestDatabase.connect(database.url());
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 2) g");
    node = new RoomNode(vertx, database.url());
    for (int i = 0; i < NODES; i++) {
      logs.add(Chat.log(Chat.database(vertx, database.nodeUrl())));
    }
  }

  @AfterAll
  void close() throws SQLException {
    table.close();
    logs.forEach(log -> await(log.close()));
    node.close();
    database.close();
  }

  enum End {
    KICKED,
    BANNED,
    MUTED;

    private RoomCommand<? extends BusMessage> command(RoomId room) {
      return switch (this) {
        case KICKED -> new RoomCommand.RemoveMember(OWNER, room, SPEAKER);
        case BANNED -> new RoomCommand.BanMember(OWNER, room, SPEAKER, "noise");
        case MUTED -> new RoomCommand.MuteMember(OWNER, room, SPEAKER, LATER);
      };
    }

    /// What gives the right back, in order.
    private List<RoomCommand<? extends BusMessage>> undo(RoomId room) {
      RoomCommand<?> add = new RoomCommand.AddMember(OWNER, room, SPEAKER, null);
      return switch (this) {
        case KICKED -> List.of(add);
        case BANNED -> List.of(new RoomCommand.Unban(OWNER, room, SPEAKER), add);
        case MUTED -> List.of(new RoomCommand.Unmute(OWNER, room, SPEAKER));
      };
    }

    private String event() {
      return this == MUTED ? "member.muted" : "member.left";
    }

    private ErrorCode refusal() {
      return this == MUTED ? ErrorCode.MUTED : ErrorCode.NOT_FOUND;
    }
  }

  private record Said(Draft draft, Outcome outcome) {}

  @ParameterizedTest
  @EnumSource
  void aMessageHasANumberIfAndOnlyIfItComesBeforeTheEnd(End end, TestReporter reporter)
      throws InterruptedException, ExecutionException, TimeoutException, SQLException {
    int stored = 0;
    int tries = 0;
    for (int race = 0; race < RACES; race++) {
      RoomId room = room();
      List<Said> said = race(end, room, end + "-" + race);
      tries += said.size();
      stored += judge(room, end, said);
      giveBack(room, end, said);
    }
    reporter.publishEntry(Map.of("races", "" + RACES, "tries", "" + tries, "stored", "" + stored));
    assertThat(stored).isGreaterThan(RACES);
    Chat.assertInvariants(database);
  }

  private RoomId room() {
    return node.get(
            new RoomCommand.CreateRoom(
                OWNER, RoomType.GROUP, RoomSettings.named("G"), List.of(SPEAKER)))
        .room()
        .roomId();
  }

  /// All that was said, and after the end was acknowledged once more on each node.
  private List<Said> race(End end, RoomId room, String name)
      throws InterruptedException, ExecutionException, TimeoutException {
    CountDownLatch begun = new CountDownLatch(1 + random.nextInt(6));
    Executor threads = task -> Thread.ofVirtual().start(task);
    List<CompletableFuture<List<Said>>> speeches = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      AppendStore log = logs.get(i);
      String prefix = name + "-" + i;
      int most = 1 + random.nextInt(4);
      speeches.add(
          CompletableFuture.supplyAsync(() -> speak(log, room, prefix, most, begun), threads));
    }
    assertThat(begun.await(WAIT_S, TimeUnit.SECONDS)).isTrue();
    await(node.ask(end.command(room)));
    List<Said> said = new ArrayList<>();
    for (AppendStore log : logs) {
      said.addAll(say(log, List.of(draft(room.value(), SPEAKER.value(), name + said.size()))));
    }
    assertThat(said).allMatch(late -> late.outcome() instanceof Outcome.Refused);
    for (CompletableFuture<List<Said>> speech : speeches) {
      said.addAll(speech.get(WAIT_S, TimeUnit.SECONDS));
    }
    return said;
  }

  /// Until it is refused.
  private static List<Said> speak(
      AppendStore log, RoomId room, String name, int most, CountDownLatch begun) {
    List<Said> said = new ArrayList<>();
    for (int n = 0; ; n++) {
      List<Draft> group = new ArrayList<>();
      for (int i = 0; i <= n % most; i++) {
        group.add(draft(room.value(), SPEAKER.value(), name + "-" + n + "-" + i));
      }
      said.addAll(say(log, group));
      begun.countDown();
      if (said.getLast().outcome() instanceof Outcome.Refused) {
        return said;
      }
    }
  }

  private static List<Said> say(AppendStore log, List<Draft> group) {
    List<Outcome> outcomes = await(log.append(group));
    List<Said> said = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      said.add(new Said(group.get(i), outcomes.get(i)));
    }
    return said;
  }

  /// How many were stored.
  private int judge(RoomId room, End end, List<Said> said) throws SQLException {
    Map<String, Long> revs = revs("SELECT client_id, rev FROM message WHERE room_id = ?", room);
    Map<String, Long> changes = revs("SELECT kind, rev FROM room_change WHERE room_id = ?", room);
    long ended = requireNonNull(changes.get(end.event()));
    assertThat(revs.values()).allSatisfy(rev -> assertThat(rev).isLessThan(ended));
    Map<String, Long> acknowledged = new HashMap<>();
    for (Said one : said) {
      switch (one.outcome()) {
        case Outcome.Stored(_, var rev, _, _) ->
            acknowledged.put(one.draft().clientId().value(), rev.value());
        case Outcome.Refused(var refusal) -> {
          assertThat(refusal.code()).isEqualTo(end.refusal());
          assertThat(refusal.retryAfter().filter(Duration.ZERO::equals)).isEmpty();
          assertThat(refusal.retryAfter().isPresent()).isEqualTo(end == End.MUTED);
        }
        case Outcome.Duplicate _, Outcome.Mismatch _ -> throw new AssertionError(one.toString());
      }
    }
    assertThat(revs).isEqualTo(acknowledged);
    return acknowledged.size();
  }

  /// Of the room's log, by client id or kind; the last of several.
  private Map<String, Long> revs(String sql, RoomId room) throws SQLException {
    try (PreparedStatement query = table.prepareStatement(sql + " ORDER BY rev")) {
      query.setLong(1, room.value());
      try (ResultSet rows = query.executeQuery()) {
        Map<String, Long> revs = new HashMap<>();
        while (rows.next()) {
          revs.put(rows.getString(1), rows.getLong(2));
        }
        return revs;
      }
    }
  }

  /// What was stored is known for ever, also to one who may speak no more; what was refused
  /// left no trace, so that it is stored once the speaker may again.
  private void giveBack(RoomId room, End end, List<Said> said) {
    List<Draft> stored =
        said.stream().filter(s -> s.outcome() instanceof Outcome.Stored).map(Said::draft).toList();
    List<Draft> refused =
        said.stream().filter(s -> s.outcome() instanceof Outcome.Refused).map(Said::draft).toList();
    assertThat(await(logs.getFirst().append(stored)))
        .hasOnlyElementsOfType(Outcome.Duplicate.class);
    end.undo(room).forEach(command -> await(node.ask(command)));
    assertThat(await(logs.getLast().append(refused))).hasOnlyElementsOfType(Outcome.Stored.class);
  }
}
