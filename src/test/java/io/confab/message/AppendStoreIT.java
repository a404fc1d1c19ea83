package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.Event;
import io.confab.postgres.Database;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.SealedWorld;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.pgclient.PgException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AppendStoreIT {
  private static final long MEMBER = 1;
  private static final long STRANGER = 50;
  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE wait_event_type = 'Lock' AND datname = current_database()";

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private AppendStore log;
  private long room;

  AppendStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.log = new AppendStore(database, Chat.PATIENT, TestConfig.queues());
  }

  @BeforeAll
  void connect() {
    postgres.execute(Chat.room(1_000_000, "group", STRANGER, STRANGER));
    log = Chat.log(database);
  }

  @AfterEach
  void invariantsHold() {
    Chat.assertInvariants(postgres);
  }

  @AfterAll
  void close() {
    await(log.close());
    await(database.close());
    postgres.close();
  }

  @Test
  void freshMessagesAreNumberedInTheOrderInWhichTheyCame() {
    newRoom("group");
    assertThat(
            seqs(append(draft(room, 1, id("a")), draft(room, 2, id("b")), draft(room, 1, id("c")))))
        .containsExactly(1L, 2L, 3L);
    assertThat(seqs(append(draft(room, 3, id("d"))))).containsExactly(4L);
  }

  @Test
  void aSealedRoomIsLockedTooWhereAQueueOfItIsHeld() throws SQLException {
    postgres.execute(SealedWorld.room(2_001, 201, 203, 2) + SealedWorld.room(2_002, 204, 205, 2));
    postgres.execute(Chat.room(2_003, "group", 201, 203));
    try (Connection connection = TestDatabase.connect(postgres.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("SELECT FROM device_queue WHERE account_id = 203 FOR NO KEY UPDATE");
      assertThat(locked(2_001, 2_002, 2_003)).containsExactly(2_001L);
      statement.execute("SELECT FROM room_position WHERE room_id = 2002 FOR NO KEY UPDATE");
      assertThat(locked(2_001, 2_002, 2_003)).containsExactlyInAnyOrder(2_001L, 2_002L);
      connection.rollback();
    }
    assertThat(locked(2_001, 2_002, 2_003)).isEmpty();
  }

  private List<Long> locked(long... rooms) {
    return await(log.locked(LongStream.of(rooms).mapToObj(RoomId::new).toList())).stream()
        .map(RoomId::value)
        .toList();
  }

  @Test
  void changesTakeRevsInBetween() {
    newRoom("group");
    append(draft(room, 1, id("a")));
    postgres.execute(Chat.change(room, "room.archived", "{}"));
    Outcome.Stored one = (Outcome.Stored) append(draft(room, 1, id("b"))).getFirst();
    postgres.execute(Chat.change(room, "room.archived", "{}"));
    Outcome.Stored two =
        (Outcome.Stored) append(draft(room, 1, id("c")), draft(room, 2, id("d"))).getLast();
    assertThat(one.seq().value()).isEqualTo(2);
    assertThat(one.rev().value()).isEqualTo(3);
    assertThat(two.seq().value()).isEqualTo(4);
    assertThat(two.rev().value()).isEqualTo(6);
  }

  /// Also where rows of the group are known, refused or twins.
  @Test
  void everyMessageIsCountedOnce() {
    newRoom("group");
    Draft known = draft(room, 1, id("known"));
    append(known);
    append(draft(room, 1, id("a")), draft(room, 2, id("b")));
    append(known, draft(room, 2, id("c")), draft(room, STRANGER, id("d")), draft(room, 1, id("e")));
    append(draft(room, STRANGER, id("f")));
    append(draft(room, 2, id("g")));

    assertThat(
            postgres.count(
                "SELECT count(*) FROM message WHERE ordinal = seq AND room_id = " + room))
        .isEqualTo(6);
    assertThat(postgres.count("SELECT countable FROM room_position WHERE room_id = " + room))
        .isEqualTo(6);
  }

  @Test
  void aRetryGetsTheSameNumbersAndTime() {
    newRoom("group");
    Draft lone = draft(room, 1, id("lone"));
    Draft grouped = draft(room, 1, id("grouped"));
    Outcome.Stored first = (Outcome.Stored) append(lone).getFirst();
    Outcome.Stored second = (Outcome.Stored) append(grouped, draft(room, 2, id("x"))).getFirst();
    assertThat(append(lone)).containsExactly(duplicate(first));
    assertThat(
            append(grouped, draft(room, 2, id("y")), lone).stream()
                .map(Object::getClass)
                .map(Class::getSimpleName))
        .containsExactly("Duplicate", "Stored", "Duplicate");
    assertThat(append(grouped, lone)).containsExactly(duplicate(second), duplicate(first));
  }

  @Test
  void otherContentOrAnotherRoomUnderTheSameKeyIsAMismatch() {
    newRoom("group");
    long first = room;
    append(draft(first, 1, id("a"), "one"));
    newRoom("group");
    assertThat(append(draft(first, 1, id("a", first), "two")))
        .containsExactly(new Outcome.Mismatch());
    assertThat(append(draft(room, 1, id("a", first), "one")))
        .containsExactly(new Outcome.Mismatch());
    assertThat(append(draft(room, 1, id("a", first), "one"), draft(room, 1, id("b"))).getFirst())
        .isEqualTo(new Outcome.Mismatch());
    assertThat(append(draft(first, 1, id("a", first), "one", new Seq(1))))
        .containsExactly(new Outcome.Mismatch());
  }

  @Test
  void theSameKeyOfTwoSendersIsTwoMessages() {
    newRoom("group");
    assertThat(seqs(append(draft(room, 1, id("a")), draft(room, 2, id("a")))))
        .containsExactly(1L, 2L);
  }

  @Test
  void oneOfTwoCopiesInAGroupIsStored() {
    newRoom("group");
    Draft twin = draft(room, 1, id("twin"));
    List<Outcome> outcomes =
        append(
            draft(room, 2, id("a")),
            twin,
            twin,
            draft(room, 2, id("b")),
            draft(room, 1, id("twin"), "else"));
    assertThat(seqs(outcomes)).containsExactly(1L, 2L, 2L, 3L, 0L);
    assertThat(outcomes.get(2)).isEqualTo(duplicate((Outcome.Stored) outcomes.get(1)));
    assertThat(outcomes.get(4)).isEqualTo(new Outcome.Mismatch());
  }

  @Test
  void aRefusedRowLeavesNeitherHoleNorKey() {
    newRoom("group");
    List<Outcome> outcomes =
        append(
            draft(room, STRANGER, id("s")),
            draft(room, 1, id("a")),
            draft(77, 1, id("n")),
            draft(room, 2, id("b")));
    assertThat(seqs(outcomes)).containsExactly(0L, 1L, 0L, 2L);
    assertThat(code(outcomes.get(0))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(code(outcomes.get(2))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(code(append(draft(room, STRANGER, id("s"))).getFirst()))
        .isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(code(append(draft(77, 1, id("n"))).getFirst())).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(seqs(append(draft(room, 1, id("c"))))).containsExactly(3L);
  }

  @Test
  void aChannelNotJoinedIsForbidden() {
    newRoom("channel");
    assertThat(code(append(draft(room, STRANGER, id("s"))).getFirst()))
        .isEqualTo(ErrorCode.FORBIDDEN);
  }

  @Test
  void anArchivedRoomIsAConflict() {
    newRoom("group");
    Draft before = draft(room, 1, id("before"));
    Outcome.Stored stored = (Outcome.Stored) append(before).getFirst();
    postgres.execute("UPDATE room_position SET archived = true WHERE room_id = " + room);
    assertThat(code(append(draft(room, 1, id("a"))).getFirst())).isEqualTo(ErrorCode.CONFLICT);
    assertThat(code(append(draft(room, 1, id("a")), draft(room, 2, id("b"))).getLast()))
        .isEqualTo(ErrorCode.CONFLICT);
    assertThat(append(before)).containsExactly(duplicate(stored));
  }

  @Test
  void aReplyToWhatTheRoomDoesNotHoldIsRefused() {
    newRoom("group");
    append(draft(room, 1, id("a")));
    assertThat(code(append(draft(room, 1, id("b"), "x", new Seq(2))).getFirst()))
        .isEqualTo(ErrorCode.INVALID_FIELD);
    List<Outcome> outcomes =
        append(draft(room, 1, id("c"), "x", new Seq(1)), draft(room, 1, id("d"), "x", new Seq(2)));
    assertThat(seqs(outcomes)).containsExactly(2L, 0L);
    assertThat(code(outcomes.getLast())).isEqualTo(ErrorCode.INVALID_FIELD);
  }

  @Test
  void aRetryAfterBeingRemovedIsStillADuplicate() {
    newRoom("group");
    Draft draft = draft(room, 1, id("a"));
    Outcome.Stored stored = (Outcome.Stored) append(draft).getFirst();
    postgres.execute("DELETE FROM room_member WHERE room_id = " + room);
    assertThat(append(draft)).containsExactly(duplicate(stored));
    assertThat(append(draft, draft(room, 1, id("b"))).getFirst()).isEqualTo(duplicate(stored));
    assertThat(append(draft(room, 1, id("a"), "other"))).containsExactly(new Outcome.Mismatch());
  }

  @Test
  void fiftyConnectionsStoreACopyOnce() {
    newRoom("group");
    Draft draft = draft(room, 1, id("same"));
    List<AppendStore> logs =
        IntStream.range(0, 50)
            .mapToObj(_ -> new AppendStore(database, Chat.PATIENT, TestConfig.queues()))
            .toList();
    await(Future.all(logs.stream().map(AppendStore::connect).toList()));
    List<Future<List<Outcome>>> calls = new ArrayList<>();
    for (int i = 0; i < logs.size(); i++) {
      Draft beside = draft(room, 2, id("beside" + i));
      calls.add(logs.get(i).append(i % 2 == 0 ? List.of(draft) : List.of(beside, draft)));
    }
    await(Future.all(calls));
    List<Outcome> answers = calls.stream().map(call -> call.result().getLast()).toList();
    assertThat(answers).filteredOn(Outcome.Stored.class::isInstance).hasSize(1);
    assertThat(answers).filteredOn(Outcome.Duplicate.class::isInstance).hasSize(49);
    assertThat(seqs(answers)).containsOnly(seqs(answers).getFirst());
    await(Future.all(logs.stream().map(AppendStore::close).toList()));
  }

  @Test
  void aCommitThatFailsIsNotAnswered() {
    newRoom("group");
    postgres.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
        CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON message DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION refuse();\
        """);
    List<Draft> group =
        IntStream.range(0, 200).mapToObj(i -> draft(room, 1, id("big" + i))).toList();
    try {
      assertThatThrownBy(() -> await(log.append(group))).isInstanceOf(PgException.class);
    } finally {
      postgres.execute("DROP TRIGGER refuse ON message; DROP FUNCTION refuse");
    }
    assertThat(seqs(await(log.append(group)))).hasSize(200).startsWith(1L).endsWith(200L);
  }

  @Test
  void whatIsStoredCanBeFoundByItsKey() {
    newRoom("group");
    Draft stored = draft(room, 1, id("a"));
    Outcome.Stored outcome = (Outcome.Stored) append(stored).getFirst();
    List<Event> found =
        await(
            log.find(
                List.of(draft(room, 1, id("none")), stored, draft(room, 1, id("a"), "other"))));
    assertThat(found)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(Event.of(outcome.message(stored), log.epoch()));
  }

  @Test
  void connectingAnewEndsTheFormerConnectionsCall() {
    newRoom("group");
    AppendStore own = new AppendStore(database, Duration.ofMinutes(1), TestConfig.queues());
    await(own.connect());
    Draft draft = draft(room, 1, id("stuck"));
    try (var gate = TestDatabase.connect(postgres.url())) {
      gate.setAutoCommit(false);
      gate.createStatement()
          .execute("SELECT 1 FROM room_position WHERE room_id = " + room + " FOR UPDATE");
      Future<List<Outcome>> stuck = own.append(List.of(draft));
      Awaitility.await().until(() -> postgres.count(WAITING) == 1);
      await(own.connect());
      assertThat(postgres.count(WAITING)).isZero();
      gate.rollback();
      assertThatThrownBy(() -> await(stuck)).isNotNull();
      assertThat(await(own.find(List.of(draft)))).isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    await(own.close());
  }

  private void newRoom(String type) {
    room++;
    postgres.execute(Chat.room(room, type, MEMBER, MEMBER + 2));
  }

  private String id(String name) {
    return id(name, room);
  }

  private static String id(String name, long room) {
    return name + "-" + room;
  }

  private List<Outcome> append(Draft... drafts) {
    return await(log.append(List.of(drafts)));
  }

  private static Outcome.Duplicate duplicate(Outcome.Stored stored) {
    return new Outcome.Duplicate(stored.seq(), stored.rev(), stored.ts());
  }

  private static List<Long> seqs(List<Outcome> outcomes) {
    return outcomes.stream()
        .map(
            outcome ->
                switch (outcome) {
                  case Outcome.Stored(Seq seq, _, _, _) -> seq.value();
                  case Outcome.Duplicate(Seq seq, _, _) -> seq.value();
                  case Outcome.Mismatch(), Outcome.Refused(_) -> 0L;
                })
        .toList();
  }

  private static ErrorCode code(Outcome outcome) {
    return ((Outcome.Refused) outcome).reason().code();
  }
}
