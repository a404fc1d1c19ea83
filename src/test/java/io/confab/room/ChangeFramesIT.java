package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.EventFrames;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.testing.StoredChange;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the functions that change rooms write is what clients are promised: the frame of each
/// change is that of its golden sample, and who has left is known to the server.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class ChangeFramesIT {
  private static final AccountId OWNER = new AccountId(1);
  private static final AccountId BOB = new AccountId(2);
  private static final int BIG = 250;

  private final TestDatabase database = TestDatabase.create();
  private final RoomNode node;

  ChangeFramesIT(Vertx vertx) {
    node = new RoomNode(vertx, database.url());
  }

  @BeforeEach
  void people() throws SQLException {
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 300) g");
  }

  @AfterEach
  void close() {
    node.close();
    database.close();
  }

  private RoomId channel() {
    return node.create(OWNER, RoomType.CHANNEL, "tea", List.of()).roomId();
  }

  /// The last event says this change, made by this account.
  private void assertTold(AccountId actor, StoredChange change) {
    Event told = node.announcer.events.getLast();
    JsonObject frame = new JsonObject(Buffer.buffer(told.frame()));
    var stamp =
        new EventFrames.Stamp(told.room(), told.rev(), told.epoch(), actor, frame.getLong("ts"));
    Event expected = change.event(stamp);
    assertThat(frame).isEqualTo(new JsonObject(Buffer.buffer(expected.frame())));
    assertThat(told.subject()).isEqualTo(expected.subject());
  }

  @Test
  void membersComeChangeAndGo() {
    RoomId room = channel();
    node.get(new RoomCommand.Join(BOB, room));
    assertTold(BOB, StoredChange.joined(BOB));
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, Role.ADMIN));
    assertTold(OWNER, StoredChange.role(BOB, Role.ADMIN));
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, Role.MEMBER));
    long until = System.currentTimeMillis() + 600_000;
    node.get(new RoomCommand.MuteMember(OWNER, room, BOB, until));
    assertTold(OWNER, StoredChange.muted(BOB, until));
    node.get(new RoomCommand.Unmute(OWNER, room, BOB));
    assertTold(OWNER, StoredChange.muted(BOB, null));
    node.get(new RoomCommand.RemoveMember(BOB, room, BOB));
    assertTold(BOB, StoredChange.left(BOB, LeaveReason.LEFT));
    node.get(new RoomCommand.Join(BOB, room));
    node.get(new RoomCommand.RemoveMember(OWNER, room, BOB));
    assertTold(OWNER, StoredChange.left(BOB, LeaveReason.REMOVED));
    node.get(new RoomCommand.Join(BOB, room));
    node.get(new RoomCommand.BanMember(OWNER, room, BOB, null));
    assertTold(OWNER, StoredChange.left(BOB, LeaveReason.BANNED));
  }

  @Test
  void settingsChangeAndTheRoomEnds() {
    RoomId room = channel();
    RoomSettings all =
        new RoomSettings("Green tea", "hot", HistoryRule.SINCE_JOIN, 30, 9L, null, null);
    node.get(new RoomCommand.ChangeRoom(OWNER, room, all));
    assertTold(
        OWNER,
        StoredChange.settings(
            new JsonObject()
                .put("name", "Green tea")
                .put("description", "hot")
                .put("history", "since_join")
                .put("slow_mode_s", 30)
                .put("max_members", 9)));
    RoomSettings none = new RoomSettings(null, "", null, 0, 0L, null, null);
    node.get(new RoomCommand.ChangeRoom(OWNER, room, none));
    assertTold(
        OWNER,
        StoredChange.settings(
            new JsonObject().put("description", "").put("slow_mode_s", 0).put("max_members", 0)));
    node.get(new RoomCommand.ArchiveRoom(OWNER, room));
    assertTold(OWNER, StoredChange.archived());
  }

  @Test
  void inABigRoomPeopleAreNumbers() {
    List<AccountId> many = LongStream.range(3, BIG).mapToObj(AccountId::new).toList();
    RoomId room = node.create(OWNER, RoomType.GROUP, "big", many).roomId();
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, null));
    Rev joined = node.announcer.events.getLast().rev();
    assertTold(OWNER, StoredChange.members(joined, 1, 0));
    node.get(new RoomCommand.RemoveMember(OWNER, room, BOB));
    Rev left = node.announcer.events.getLast().rev();
    assertTold(OWNER, StoredChange.oneLeft(left, BOB, LeaveReason.REMOVED));
  }
}
