package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.deletion;
import static io.confab.message.Chat.draft;
import static io.confab.message.Chat.edit;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.ChangeOutcome.Known;
import io.confab.message.ChangeOutcome.Made;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Mention;
import io.confab.protocol.Message;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Whom messages mention, by every path on which they are stored and changed. Ann (1), Bob (2) and
/// Cas (3) are in each room; their handles are `a1`, `a2` and `a3`.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MentionIT {
  private static final long ANN = 1;
  private static final long BOB = 2;
  private static final long CAS = 3;
  private static final long STRANGER = 50;

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private AppendStore log;
  private long room;

  MentionIT(Vertx vertx) {
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

  private void newRoom() {
    newRoom("group", CAS);
  }

  private void newRoom(String type, long last) {
    room++;
    postgres.execute(Chat.room(room, type, ANN, last));
  }

  private String id(String name) {
    return name + "-" + room;
  }

  private List<Outcome> append(Draft... drafts) {
    return await(log.append(List.of(drafts)));
  }

  private @Nullable List<Mention> said(long sender, String name, String body) {
    return mentions(append(draft(room, sender, id(name), body)).getFirst());
  }

  private static @Nullable List<Mention> mentions(Outcome outcome) {
    return ((Outcome.Stored) outcome).mentions();
  }

  private List<ChangeOutcome> change(MessageChange... run) {
    return await(log.change(List.of(run)));
  }

  private static Message made(ChangeOutcome outcome) {
    return ((Made) outcome).message();
  }

  private static List<Mention> accounts(long... ids) {
    return Arrays.stream(ids).mapToObj(id -> Mention.of(new AccountId(id))).toList();
  }

  /// The rows by which mentions are counted.
  private long rows(long account) {
    return postgres.count(
        "SELECT count(*) FROM mention WHERE account_id = %d AND room_id = %d"
            .formatted(account, room));
  }

  private long sent(long account) {
    return postgres.count(
        "SELECT sent FROM room_member WHERE account_id = %d AND room_id = %d"
            .formatted(account, room));
  }

  @Test
  void otherMembersAreMentionedAndNobodyElse() {
    newRoom();
    assertThat(said(ANN, "a", "@a3, @A2 and @a2 again")).isEqualTo(accounts(BOB, CAS));
    assertThat(said(ANN, "b", "@a1 @a50 @nobody ann@a2.org `@a2`")).isNull();
    assertThat(said(ANN, "c", "no one")).isNull();
    assertThat(rows(BOB)).isEqualTo(1);
    assertThat(rows(CAS)).isEqualTo(1);
    assertThat(rows(STRANGER)).isZero();
  }

  @Test
  void aGroupMentionsAsLoneMessagesDo() {
    newRoom();
    List<Outcome> outcomes =
        append(
            draft(room, ANN, id("a"), "@a2 @a3"),
            draft(room, BOB, id("b"), "nobody"),
            draft(room, CAS, id("c"), "@a3 @a1 @all"),
            draft(room, CAS, id("d"), "@a50"));

    assertThat(outcomes.stream().map(MentionIT::mentions))
        .containsExactly(
            accounts(BOB, CAS), null, List.of(Mention.ALL, Mention.of(new AccountId(ANN))), null);
    assertThat(rows(ANN) + rows(BOB) + rows(CAS) + rows(0)).isEqualTo(4);
  }

  @Test
  void aGroupWithRefusedAndKnownRowsMentionsForThoseThatAreStored() {
    newRoom();
    Draft known = draft(room, ANN, id("known"), "@a2");
    append(known);
    List<Outcome> outcomes =
        append(
            draft(room, STRANGER, id("stranger"), "@a2"),
            known,
            draft(room, BOB, id("b"), "@a3"),
            draft(room, BOB, id("b"), "@a3"),
            draft(room, CAS, id("c"), "@online"));

    assertThat(mentions(outcomes.get(2))).isEqualTo(accounts(CAS));
    assertThat(mentions(outcomes.get(4))).isEqualTo(List.of(Mention.ONLINE));
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Duplicate.class);
    assertThat(rows(BOB)).isEqualTo(1);
    assertThat(rows(CAS)).isEqualTo(1);
    assertThat(rows(-1)).isZero();
  }

  @Test
  void theLongestNameCountsThatTellsSomebody() {
    newRoom();
    postgres.execute(
        """
        INSERT INTO account (account_id, handle, display_name)
          VALUES (900, 'dot.', 'D'), (901, 'dot', 'D'), (902, 'all.', 'A');
        """);
    postgres.execute(member(901));
    assertThat(said(ANN, "a", "@dot.")).isEqualTo(accounts(901));
    postgres.execute(member(900));
    assertThat(said(ANN, "b", "@dot.")).isEqualTo(accounts(900));
    assertThat(said(ANN, "c", "@dot. and @dot!")).isEqualTo(accounts(900, 901));
    assertThat(said(ANN, "d", "@all.")).isEqualTo(List.of(Mention.ALL));
    postgres.execute(member(902));
    assertThat(said(ANN, "e", "@all.")).isEqualTo(accounts(902));
  }

  private String member(long account) {
    return "INSERT INTO room_member (room_id, account_id, role) VALUES (%d, %d, 'member');"
        .formatted(room, account);
  }

  @Test
  void whoBlockedTheSenderIsNotMentioned() {
    newRoom();
    postgres.execute("INSERT INTO block (account_id, blocked_id) VALUES (2, 1)");
    assertThat(said(ANN, "a", "@a2 @a3")).isEqualTo(accounts(CAS));
    assertThat(
            mentions(
                append(draft(room, CAS, id("b"), "@a2"), draft(room, ANN, id("c"), "@a2"))
                    .getLast()))
        .isNull();
    assertThat(said(BOB, "d", "@a1")).isEqualTo(accounts(ANN));
    postgres.execute("DELETE FROM block");
    assertThat(said(ANN, "e", "@a2")).isEqualTo(accounts(BOB));
  }

  @Test
  void everybodyIsMentionedByEverybodyInASmallRoomAndByAdminsInABigOne() {
    newRoom("channel", 32);
    assertThat(said(ANN, "a", "@all @online")).isEqualTo(List.of(Mention.ONLINE, Mention.ALL));
    newRoom("channel", 33);
    assertThat(said(ANN, "b", "@all @online @a2")).isEqualTo(accounts(BOB));
    for (String role : new String[] {"admin", "owner"}) {
      postgres.execute(
          "UPDATE room_member SET role = '%s' WHERE account_id = 1 AND room_id = %d"
              .formatted(role, room));
      assertThat(said(ANN, role, "@online @all")).isEqualTo(List.of(Mention.ONLINE, Mention.ALL));
    }
    assertThat(rows(0)).isEqualTo(2);
    assertThat(rows(-1)).isZero();
  }

  @Test
  void anEditMentionsAnewAndADeletionNobody() {
    newRoom();
    append(draft(room, ANN, id("a"), "@a2 @online"));
    MessageChange edit = edit(room, 1, ANN, id("e1"), "@a3 @all");
    assertThat(made(change(edit).getFirst()).mentions())
        .isEqualTo(List.of(Mention.ALL, Mention.of(new AccountId(CAS))));
    assertThat(List.of(rows(BOB), rows(CAS), rows(0))).containsExactly(0L, 1L, 1L);
    postgres.execute("DELETE FROM room_member WHERE account_id = 3 AND room_id = " + room);
    assertThat(((Known) change(edit).getFirst()).message().mentions()).hasSize(2);
    assertThat(rows(CAS)).isEqualTo(1);
    assertThat(made(change(edit(room, 1, ANN, id("e2"), "@a3 @a2")).getFirst()).mentions())
        .as("as the room is now")
        .isEqualTo(accounts(BOB));
    assertThat(made(change(deletion(room, 1, ANN)).getFirst()).mentions()).isNull();
    assertThat(rows(BOB) + rows(CAS) + rows(0)).isZero();
  }

  @Test
  void ofSeveralChangesInARunTheLastOneSaysWhoIsMentioned() {
    newRoom();
    append(
        draft(room, ANN, id("a"), "@a2"),
        draft(room, ANN, id("b"), "@a2"),
        draft(room, BOB, id("c"), "@a3"),
        draft(room, ANN, id("d"), "@a2"));
    MessageChange twice = edit(room, 1, ANN, id("e1"), "@a3 @a2");
    List<ChangeOutcome> outcomes =
        change(
            twice,
            edit(room, 1, ANN, id("e2"), "@all"),
            twice,
            edit(room, 2, ANN, id("e3"), "@a3"),
            deletion(room, 2, ANN),
            edit(room, 3, ANN, id("e4"), "@a2, not hers"),
            edit(room, 4, ANN, id("e5"), "to nobody"));

    assertThat(made(outcomes.get(0)).mentions()).isEqualTo(List.of(Mention.ALL));
    assertThat(made(outcomes.get(4)).mentions()).isNull();
    assertThat(made(outcomes.get(6)).mentions()).isNull();
    assertThat(List.of(rows(BOB), rows(CAS), rows(0))).containsExactly(0L, 1L, 1L);
  }

  @Test
  void whatIsFoundAfterAnUnknownOutcomeSaysWhoIsMentioned() {
    newRoom();
    Draft draft = draft(room, ANN, id("a"), "@a2 @all");
    append(draft);
    assertThat(
            new String(await(log.find(List.of(draft))).getFirst().frame(), StandardCharsets.UTF_8))
        .contains("\"mentions\":[\"@all\",\"0000000000002\"]");
  }

  @Test
  void membersCountWhatTheySentSinceTheyJoined() {
    newRoom();
    Draft lone = draft(room, ANN, id("lone"));
    append(lone);
    append(lone);
    append(draft(room, ANN, id("lone"), "mismatch"));
    append(draft(room, STRANGER, id("refused")));
    append(draft(room, ANN, id("a")), draft(room, BOB, id("b")), draft(room, ANN, id("c")));
    append(
        lone, draft(room, BOB, id("d")), draft(room, BOB, id("d")), draft(room, STRANGER, id("e")));
    change(deletion(room, 1, ANN), edit(room, 2, ANN, id("edit"), "x"));
    assertThat(Stream.of(ANN, BOB, CAS).map(this::sent)).containsExactly(3L, 2L, 0L);
    postgres.execute(
        "DELETE FROM room_member WHERE account_id = 1 AND room_id = %d;".formatted(room)
            + Chat.change(room, "member.joined", "{\"account_id\": 1}")
            + member(ANN));
    append(lone);
    assertThat(sent(ANN)).isZero();
    append(draft(room, ANN, id("f")));
    assertThat(sent(ANN)).isEqualTo(1);
  }

  @Test
  void slowModeCountsToo() {
    newRoom();
    postgres.execute("UPDATE room_position SET slow_mode_s = 3600 WHERE room_id = " + room);
    Draft first = draft(room, ANN, id("a"), "@a2");
    append(first);
    append(first);
    append(draft(room, ANN, id("b")));
    append(draft(room, BOB, id("c"), "@a3"), draft(room, BOB, id("d")), first);

    assertThat(Stream.of(ANN, BOB, CAS).map(this::sent)).containsExactly(1L, 1L, 0L);
    assertThat(rows(BOB) + rows(CAS)).isEqualTo(2);
    assertThat(
            postgres.count(
                "SELECT count(*) FROM room_member WHERE last_sent_at IS NOT NULL AND room_id = "
                    + room))
        .isEqualTo(2);
  }
}
