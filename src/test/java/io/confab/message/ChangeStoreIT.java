package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.deletion;
import static io.confab.message.Chat.draft;
import static io.confab.message.Chat.edit;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Event;
import io.confab.message.ChangeOutcome.Known;
import io.confab.message.ChangeOutcome.Made;
import io.confab.message.ChangeOutcome.Refused;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
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
class ChangeStoreIT {
  private static final long ANN = 1;
  private static final long BOB = 2;
  private static final long STRANGER = 50;

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private AppendStore log;
  private long room;

  ChangeStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
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
  void anEditTakesARevAndTheFormerWordsAreKept() {
    newRoom("group");
    Outcome.Stored sent = append(draft(room, ANN, id("a"), "first"));
    Made once = (Made) change(edit(room, 1, ANN, id("e1"), "second"));
    append(draft(room, BOB, id("b")));
    Made twice = (Made) change(edit(room, 1, ANN, id("e2"), "third"));
    assertThat(once.rev()).isEqualTo(new Rev(2));
    assertThat(twice.rev()).isEqualTo(new Rev(4));
    Message message = twice.message();
    assertThat(message.body()).isEqualTo("third");
    assertThat(message.seq()).isEqualTo(sent.seq());
    assertThat(message.rev()).isEqualTo(sent.rev());
    assertThat(message.ts()).isEqualTo(sent.ts());
    assertThat(message.changedRev()).isEqualTo(twice.rev());
    assertThat(message.editedAt()).isEqualTo(twice.ts());
    assertThat(
            postgres.count(
                "SELECT count(*) FROM message_version WHERE room_id = %d AND seq = 1 AND (rev, body) IN ((1, 'first'), (2, 'second'))"
                    .formatted(room)))
        .isEqualTo(2);
  }

  @Test
  void aRetryOfAnEditGetsTheSameRevWhateverHappenedSince() {
    newRoom("group");
    append(draft(room, ANN, id("a")));
    MessageChange edit = edit(room, 1, ANN, id("e"), "second");
    Made first = (Made) change(edit);
    assertThat(change(edit)).isEqualTo(new Known(first.rev(), first.message()));
    Made later = (Made) change(edit(room, 1, ANN, id("later"), "third"));
    assertThat(change(edit)).isEqualTo(new Known(first.rev(), later.message()));
    Made deleted = (Made) change(deletion(room, 1, ANN));
    assertThat(change(edit)).isEqualTo(new Known(first.rev(), deleted.message()));
    postgres.execute("DELETE FROM room_member WHERE room_id = " + room);
    assertThat(change(edit)).isEqualTo(new Known(first.rev(), deleted.message()));
    postgres.execute("UPDATE room_position SET archived = true WHERE room_id = " + room);
    assertThat(change(edit)).isEqualTo(new Known(first.rev(), deleted.message()));
  }

  @Test
  void aKeyThatWasUsedForSomethingElseIsAMismatch() {
    newRoom("group");
    long other = room;
    append(draft(other, ANN, id("x")));
    newRoom("group");
    append(draft(room, ANN, id("a"), "same"));
    append(draft(room, ANN, id("b"), "same"));
    change(edit(room, 1, ANN, id("e"), "new"));
    assertThat(code(change(edit(room, 1, ANN, id("e"), "newer")))).isEqualTo(MISMATCH);
    assertThat(code(change(edit(room, 2, ANN, id("e"), "new")))).isEqualTo(MISMATCH);
    assertThat(code(change(edit(other, 1, ANN, id("e"), "new")))).isEqualTo(MISMATCH);
    assertThat(code(change(edit(999_999, 1, ANN, id("e"), "new")))).isEqualTo(MISMATCH);
    assertThat(code(change(edit(room, 1, ANN, id("b"), "same")))).isEqualTo(MISMATCH);
    assertThat(outcome(draft(room, ANN, id("e"), "new"))).isEqualTo(new Outcome.Mismatch());
    assertThat(outcome(draft(other, ANN, id("e"), "new"))).isEqualTo(new Outcome.Mismatch());
    append(draft(room, BOB, id("bob")));
    assertThat(change(edit(room, 3, BOB, id("e"), "new"))).isInstanceOf(Made.class);
  }

  @Test
  void aRetryOfASendAfterEditAndDeletionIsStillADuplicate() {
    newRoom("group");
    Draft draft = draft(room, ANN, id("a"), "first");
    Outcome.Stored sent = append(draft);
    Outcome.Duplicate known = new Outcome.Duplicate(sent.seq(), sent.rev(), sent.ts());
    change(edit(room, 1, ANN, id("e"), "second"));
    assertThat(outcome(draft)).isEqualTo(known);
    change(deletion(room, 1, ANN));
    assertThat(outcome(draft)).isEqualTo(known);
    assertThat(await(log.append(List.of(draft(room, BOB, id("b")), draft))).getLast())
        .isEqualTo(known);
  }

  @Test
  void aTombstoneSaysWhoAndWhenAndNothingElse() {
    newRoom("group");
    append(draft(room, ANN, id("a"), "what to answer"));
    append(draft(room, ANN, id("b"), "secret", new Seq(1)));
    postgres.execute("UPDATE message SET topic = 'secret' WHERE seq = 2 AND room_id = " + room);
    change(edit(room, 2, ANN, id("e"), "secret too"));
    change(edit(room, 2, ANN, id("e2"), "secret as well"));
    Made deleted = (Made) change(deletion(room, 2, ANN));
    Message message = deleted.message();
    assertThat(message.body()).isNull();
    assertThat(message.topic()).isNull();
    assertThat(message.replyTo()).isNull();
    assertThat(message.editedAt()).isNull();
    assertThat(message.deletedAt()).isEqualTo(deleted.ts());
    assertThat(message.deletedBy()).isEqualTo(new AccountId(ANN));
    assertThat(message.changedRev()).isEqualTo(deleted.rev());
    assertThat(
            postgres.count(
                """
                SELECT (SELECT count(*) FROM message m WHERE m::text LIKE '%secret%')
                     + (SELECT count(*) FROM message_version v WHERE v::text LIKE '%secret%')
                     + (SELECT count(*) FROM room_change c WHERE c::text LIKE '%secret%')\
                """))
        .isZero();
    assertThat(
            postgres.count(
                """
                SELECT count(*) FROM room_change WHERE room_id = %d AND kind = 'message.deleted'
                   AND data = '{"seq": 2, "deleted_by": "0000000000001"}'\
                """
                    .formatted(room)))
        .isEqualTo(1);
    assertThat(outcome(draft(room, BOB, id("r"), "a reply", new Seq(2))))
        .isInstanceOf(Outcome.Stored.class);
  }

  @Test
  void whoMayNotIsToldWhyAndNothingIsStored() {
    newRoom("channel");
    long channel = room;
    append(draft(channel, ANN, id("c")));
    newRoom("group");
    append(draft(room, ANN, id("a")));
    refused(ErrorCode.NOT_FOUND, room, 1, STRANGER);
    refused(ErrorCode.FORBIDDEN, channel, 1, STRANGER);
    refused(ErrorCode.NOT_FOUND, 999_999, 1, ANN);
    refused(ErrorCode.NOT_FOUND, room, 2, ANN);
    refused(ErrorCode.NOT_FOUND, room, 0, ANN);
    refused(ErrorCode.FORBIDDEN, room, 1, BOB);
    change(deletion(room, 1, ANN));
    refused(ErrorCode.GONE, room, 1, ANN);
    refused(ErrorCode.FORBIDDEN, room, 1, BOB);
    postgres.execute("UPDATE room_position SET archived = true WHERE room_id = " + room);
    refused(ErrorCode.CONFLICT, room, 1, ANN);
    refused(ErrorCode.CONFLICT, room, 7, BOB);
    refused(ErrorCode.NOT_FOUND, room, 1, STRANGER);
  }

  private void refused(ErrorCode code, long where, long seq, long caller) {
    assertThat(code(change(edit(where, seq, caller, id("no"), "new")))).isEqualTo(code);
    assertThat(code(change(deletion(where, seq, caller)))).isEqualTo(code);
  }

  @Test
  void whatAMemberCannotSeeItCannotChangeNorAnswer() {
    newRoom("group");
    for (int i = 1; i <= 6; i++) {
      append(draft(room, BOB, id("m" + i)));
    }
    postgres.execute(
        """
        UPDATE room_member SET sees_all = false, role = 'owner' WHERE room_id = %1$d AND account_id = 2;
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq, to_rev, seen_to_seq)
          VALUES (%1$d, 2, 1, 2, 3, 3), (%1$d, 2, 5, 5, NULL, NULL)\
        """
            .formatted(room));
    for (long hidden : new long[] {1, 4}) {
      refused(ErrorCode.NOT_FOUND, room, hidden, BOB);
      Draft reply = draft(room, BOB, id("r" + hidden), "reply", new Seq(hidden));
      assertThat(badReply(outcome(reply))).isTrue();
      assertThat(
              badReply(
                  await(log.append(List.of(draft(room, ANN, id("x" + hidden)), reply))).getLast()))
          .isTrue();
    }
    for (long seen : new long[] {2, 3, 5, 6}) {
      assertThat(outcome(draft(room, BOB, id("r" + seen), "reply", new Seq(seen))))
          .isInstanceOf(Outcome.Stored.class);
      assertThat(change(edit(room, seen, BOB, id("e" + seen), "new"))).isInstanceOf(Made.class);
      assertThat(change(deletion(room, seen, BOB))).isInstanceOf(Made.class);
    }
    assertThat(
            await(
                    log.append(
                        List.of(
                            draft(room, ANN, id("y")),
                            draft(room, BOB, id("z"), "reply", new Seq(5)))))
                .getLast())
        .isInstanceOf(Outcome.Stored.class);
  }

  @Test
  void whatIsStoredCanBeFoundAgain() {
    newRoom("group");
    append(draft(room, ANN, id("a")));
    MessageChange edit = edit(room, 1, ANN, id("e"), "second");
    assertThat(await(log.findChanges(List.of(edit)))).isEmpty();
    Made made = (Made) change(edit);
    found(edit, made.event(edit, log.epoch()));
    assertThat(await(log.findChanges(List.of(edit(room, 1, ANN, id("e"), "other"))))).isEmpty();
    MessageChange deletion = deletion(room, 1, ANN);
    assertThat(await(log.findChanges(List.of(deletion)))).isEmpty();
    Made deleted = (Made) change(deletion);
    found(deletion, deleted.event(deletion, log.epoch()));
    assertThat(await(log.findChanges(List.of(deletion(room, 1, BOB))))).isEmpty();
    assertThat(
            new String(
                await(log.findChanges(List.of(edit))).getFirst().frame(), StandardCharsets.UTF_8))
        .contains("\"rev\":2", "deleted_at")
        .doesNotContain("second");
  }

  private void found(MessageChange change, Event event) {
    assertThat(await(log.findChanges(List.of(change))))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(event);
  }

  @Test
  void changesOfARunFollowEachOtherAsIfEachWentAlone() {
    newRoom("group");
    long other = room;
    append(draft(other, ANN, id("o"), "over there"));
    newRoom("group");
    append(draft(room, ANN, id("a"), "first"));
    append(draft(room, BOB, id("b"), "his"));
    List<ChangeOutcome> outcomes =
        changeAll(
            edit(room, 1, ANN, id("e1"), "second"),
            edit(other, 1, ANN, id("e2"), "elsewhere"),
            edit(room, 2, ANN, id("e3"), "not hers"),
            edit(room, 1, ANN, id("e1"), "second"),
            edit(room, 1, ANN, id("e1"), "something else"),
            edit(room, 1, ANN, id("e4"), "third"),
            edit(room, 1, ANN, id("e2"), "third"),
            deletion(room, 2, BOB),
            edit(room, 2, BOB, id("e5"), "too late"),
            deletion(room, 2, BOB),
            edit(room, 1, ANN, id("e6"), "fourth"));
    assertThat(outcomes.stream().map(ChangeStoreIT::summary))
        .containsExactly(
            "made 3",
            "made 2",
            "forbidden",
            "known 3",
            "idempotency_mismatch",
            "made 4",
            "idempotency_mismatch",
            "made 5",
            "gone",
            "gone",
            "made 6");
    assertThat(((Made) outcomes.getFirst()).message())
        .as("as it stands after the run")
        .isEqualTo(((Made) outcomes.getLast()).message());
    assertThat(
            postgres.count(
                "SELECT count(*) FROM message_version WHERE room_id = %d AND (rev, body) IN ((1, 'first'), (3, 'second'), (4, 'third'))"
                    .formatted(room)))
        .isEqualTo(3);
  }

  @Test
  void anEditAndItsDeletionInOneRunLeaveNoWordAndTheRetryItsRev() {
    newRoom("group");
    append(draft(room, ANN, id("a"), "secret"));
    MessageChange edit = edit(room, 1, ANN, id("e"), "secret too");
    List<ChangeOutcome> outcomes = changeAll(edit, deletion(room, 1, ANN), edit);
    assertThat(outcomes.stream().map(ChangeStoreIT::summary))
        .containsExactly("made 2", "made 3", "known 2");
    Made made = (Made) outcomes.getFirst();
    assertThat(made.message().body()).isNull();
    assertThat(made.message().deletedAt()).isNotNull();
    assertThat(
            postgres.count(
                "SELECT count(*) FROM message_version WHERE room_id = %d".formatted(room)))
        .isZero();
  }

  @Test
  void aKeyWhoseEditWasRefusedServesTheNextOfTheRun() {
    newRoom("group");
    append(draft(room, BOB, id("b")));
    append(draft(room, ANN, id("a")));
    assertThat(
            changeAll(edit(room, 9, ANN, id("e"), "new"), edit(room, 2, ANN, id("f"), "new"))
                .stream()
                .map(ChangeStoreIT::summary))
        .containsExactly("not_found", "made 3");
    assertThat(summary(change(edit(room, 2, ANN, id("e"), "newer")))).isEqualTo("made 4");
  }

  private static String summary(ChangeOutcome outcome) {
    return switch (outcome) {
      case Made made -> "made " + made.rev();
      case Known known -> "known " + known.rev();
      case Refused(var reason) -> reason.code().wire();
    };
  }

  @Test
  void aSendThatWasEditedIsFoundAsItStandsNow() {
    newRoom("group");
    Draft draft = draft(room, ANN, id("a"), "first");
    append(draft);
    change(deletion(room, 1, ANN));
    assertThat(
            new String(await(log.find(List.of(draft))).getFirst().frame(), StandardCharsets.UTF_8))
        .contains("deleted_at")
        .doesNotContain("first");
  }

  @Test
  void aTwinInAnotherRoomIsWaitedFor() throws SQLException {
    newRoom("group");
    append(draft(room, ANN, id("a")));
    assertThat(code(await(besideATwin("e1", true)))).isEqualTo(MISMATCH);
    assertThat(await(besideATwin("e2", false))).isInstanceOf(Made.class);
    postgres.execute("DELETE FROM send_key WHERE room_id = 888888");
  }

  /// Another transaction holds the same key for another room, then ends.
  private Future<ChangeOutcome> besideATwin(String clientId, boolean commits) throws SQLException {
    SendKey key = SendKey.of(edit(room, 1, ANN, id(clientId), "new"));
    try (var gate = TestDatabase.connect(postgres.url())) {
      gate.setAutoCommit(false);
      gate.createStatement()
          .execute(
              "INSERT INTO send_key VALUES (%d, '%s', 888888, 1, 5)"
                  .formatted(ANN, key.clientKey()));
      Future<ChangeOutcome> change =
          log.change(List.of(edit(room, 1, ANN, id(clientId), "new"))).map(List::getFirst);
      Awaitility.await()
          .until(
              () ->
                  postgres.count(
                          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND"
                              + " datname = current_database()")
                      == 1);
      if (commits) {
        gate.commit();
      } else {
        gate.rollback();
      }
      return change;
    }
  }

  private static final ErrorCode MISMATCH = ErrorCode.IDEMPOTENCY_MISMATCH;

  private void newRoom(String type) {
    room++;
    postgres.execute(Chat.room(room, type, ANN, BOB));
  }

  private String id(String name) {
    return name + "-" + room;
  }

  private Outcome outcome(Draft draft) {
    return await(log.append(List.of(draft))).getFirst();
  }

  private Outcome.Stored append(Draft draft) {
    return (Outcome.Stored) outcome(draft);
  }

  private ChangeOutcome change(MessageChange change) {
    return changeAll(change).getFirst();
  }

  private List<ChangeOutcome> changeAll(MessageChange... run) {
    return await(log.change(List.of(run)));
  }

  private static ErrorCode code(ChangeOutcome outcome) {
    return ((Refused) outcome).reason().code();
  }

  private static boolean badReply(Outcome outcome) {
    return outcome instanceof Outcome.Refused(var reason)
        && Objects.equals(reason.field().orElse(""), "reply_to");
  }
}
