package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.deletion;
import static io.confab.message.Chat.draft;
import static io.confab.message.Chat.edit;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ErrorCode;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What keeps members from speaking whom their role allows it.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class RestrictionIT {
  private final Vertx vertx;
  private TestDatabase database;
  private AppendStore log;

  RestrictionIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @BeforeAll
  void open() {
    database = TestDatabase.create();
    log = Chat.log(Chat.database(vertx, database.nodeUrl()));
  }

  @AfterAll
  void close() {
    await(log.close());
    database.close();
  }

  private List<String> say(Draft... group) {
    return await(log.append(List.of(group))).stream().map(RestrictionIT::word).toList();
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Stored _ -> "stored";
      case Outcome.Duplicate _ -> "duplicate";
      case Outcome.Mismatch _ -> "mismatch";
      case Outcome.Refused(var refusal) -> refusal.code().wire();
    };
  }

  private String change(MessageChange change) {
    return switch (await(log.change(List.of(change))).getFirst()) {
      case ChangeOutcome.Made _ -> "made";
      case ChangeOutcome.Known _ -> "known";
      case ChangeOutcome.Refused(var refusal) -> refusal.code().wire();
    };
  }

  private void slow(long room, int seconds) {
    database.execute(
        "UPDATE room_position SET slow_mode_s = %d WHERE room_id = %d".formatted(seconds, room));
  }

  @Test
  void slowModeHoldsMembersBackAndNobodyElse() {
    database.execute(Chat.room(10, "group", 100, 103));
    database.execute("UPDATE room_member SET role = 'admin' WHERE account_id = 103");
    slow(10, 3_600);

    assertThat(say(draft(10, 100, "a"))).containsExactly("stored");
    assertThat(say(draft(10, 100, "b"))).containsExactly("slow_mode");
    assertThat(say(draft(10, 100, "a"))).containsExactly("duplicate");
    assertThat(
            say(
                draft(10, 101, "c"),
                draft(10, 101, "d"),
                draft(10, 101, "c"),
                draft(10, 103, "e"),
                draft(10, 103, "f"),
                draft(10, 100, "a"),
                draft(10, 100, "g")))
        .containsExactly(
            "stored", "slow_mode", "duplicate", "stored", "stored", "duplicate", "slow_mode");
    assertThat(say(draft(10, 102, "h"), draft(10, 103, "i"))).containsOnly("stored");
    assertThat(say(draft(10, 102, "j"), draft(10, 103, "k")))
        .containsExactly("slow_mode", "stored");
    assertThat(await(log.append(List.of(draft(10, 102, "l")))).getFirst())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused ->
                assertThat(refused.reason().retryAfter().orElseThrow().toMillis())
                    .isBetween(1L, 3_600_000L));
    slow(10, 0);
    assertThat(say(draft(10, 102, "l"))).containsExactly("stored");
    Chat.assertInvariants(database);
  }

  @Test
  void aKnownMessageDoesNotHoldBackTheNext() {
    database.execute(Chat.room(11, "group", 110, 111));
    assertThat(say(draft(11, 110, "old"))).containsExactly("stored");
    slow(11, 3_600);

    assertThat(say(draft(11, 110, "old"), draft(11, 110, "new"), draft(11, 111, "x")))
        .containsExactly("duplicate", "stored", "stored");
  }

  @Test
  void theMutedMayDeleteButNotSay() {
    database.execute(Chat.room(12, "group", 120, 121));
    assertThat(say(draft(12, 120, "m"))).containsExactly("stored");
    database.execute(
        "UPDATE room_member SET muted_until = now() + interval '1 hour' WHERE account_id = 120");

    assertThat(say(draft(12, 120, "n"))).containsExactly("muted");
    assertThat(say(draft(12, 120, "m"), draft(12, 120, "n"), draft(12, 121, "o")))
        .containsExactly("duplicate", "muted", "stored");
    assertThat(change(edit(12, 1, 120, "e", "other"))).isEqualTo("muted");
    assertThat(change(deletion(12, 1, 120))).isEqualTo("made");
    database.execute("UPDATE room_member SET muted_until = now() WHERE account_id = 120");
    assertThat(say(draft(12, 120, "n"))).containsExactly("stored");
  }

  @Test
  void aBlockSilencesBothOfADirectRoom() {
    database.execute(
        """
        INSERT INTO account SELECT a, 'a' || a, 'A' FROM generate_series(130, 131) a;
        INSERT INTO room (room_id, type, direct_low, direct_high, member_count)
          VALUES (13, 'direct', 130, 131, 2);
        INSERT INTO room_position (room_id) VALUES (13);
        INSERT INTO room_member (room_id, account_id, role)
          SELECT 13, a, 'member' FROM generate_series(130, 131) a;
        """);
    assertThat(say(draft(13, 130, "p"))).containsExactly("stored");
    database.execute("INSERT INTO block (account_id, blocked_id) VALUES (131, 130), (130, 131)");

    assertThat(say(draft(13, 130, "q"))).containsExactly("blocked");
    assertThat(say(draft(13, 131, "q"), draft(13, 130, "p")))
        .containsExactly("blocked", "duplicate");
    assertThat(change(edit(13, 1, 130, "f", "other"))).isEqualTo("blocked");
    database.execute("DELETE FROM block WHERE account_id = 131");
    assertThat(say(draft(13, 131, "q"))).containsExactly("blocked");
    database.execute("DELETE FROM block WHERE account_id = 130");
    assertThat(say(draft(13, 131, "q"))).containsExactly("stored");
    assertThat(change(deletion(13, 1, 130))).isEqualTo("made");
  }

  @Test
  void theBannedHearThatThereIsNoSuchChannel() {
    database.execute(Chat.room(14, "channel", 140, 141));
    database.execute("DELETE FROM room_member WHERE room_id = 14 AND account_id = 141");
    assertThat(say(draft(14, 141, "r"))).containsExactly(ErrorCode.FORBIDDEN.wire());
    database.execute("INSERT INTO room_ban (room_id, account_id, banned_by) VALUES (14, 141, 140)");

    assertThat(say(draft(14, 141, "r"))).containsExactly("not_found");
    assertThat(change(deletion(14, 1, 141))).isEqualTo("not_found");
  }

  @Test
  void fromOutsideOfACappedRoomNothingIsStoredButKnownMessagesAreFound() {
    database.execute(Chat.room(24, "group", 240, 241));
    database.execute(Chat.room(25, "group", 240, 241));
    assertThat(say(draft(24, 240, "old"))).containsExactly("stored");
    database.execute("UPDATE room_position SET capped = true WHERE room_id = 24");

    assertThat(say(draft(24, 240, "a"))).containsExactly("no_seat");
    assertThat(say(draft(24, 240, "old"))).containsExactly("duplicate");
    assertThat(say(draft(24, 240, "a").seated(true))).containsExactly("stored");
    assertThat(say(draft(24, 240, "a"))).containsExactly("duplicate");
    assertThat(
            say(
                draft(24, 240, "b"),
                draft(24, 241, "c").seated(true),
                draft(25, 240, "d"),
                draft(24, 240, "old")))
        .containsExactly("no_seat", "stored", "stored", "duplicate");
    assertThat(say(draft(24, 240, "b").seated(true), draft(25, 241, "e")))
        .containsExactly("stored", "stored");
    assertThat(change(edit(24, 1, 240, "edit", "words"))).isEqualTo("no_seat");
    assertThat(change(edit(24, 1, 240, "edit", "words").seated(true))).isEqualTo("made");
    assertThat(change(edit(24, 1, 240, "edit", "words"))).isEqualTo("known");
    assertThat(change(deletion(24, 1, 240))).isEqualTo("no_seat");
    assertThat(change(deletion(24, 1, 240).seated(true))).isEqualTo("made");
    Chat.assertInvariants(database);
  }
}
