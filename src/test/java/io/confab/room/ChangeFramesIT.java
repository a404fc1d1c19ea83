package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Event;
import io.confab.protocol.AccountId;
import io.confab.protocol.EventFrames;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
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
  private void assertTold(AccountId actor, RoomChange change) {
    Event told = node.announcer.events.getLast();
    JsonObject frame = new JsonObject(Buffer.buffer(told.frame()));
    var stamp =
        new EventFrames.Stamp(told.room(), told.rev(), told.epoch(), actor, frame.getLong("ts"));
    Event expected = Event.of(stamp, change);
    assertThat(frame).isEqualTo(new JsonObject(Buffer.buffer(expected.frame())));
    assertThat(told.subject()).isEqualTo(expected.subject());
  }

  @Test
  void membersComeChangeAndGo() {
    RoomId room = channel();
    node.get(new RoomCommand.Join(BOB, room));
    assertTold(BOB, new RoomChange.MemberJoined(BOB));
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, Role.ADMIN));
    assertTold(OWNER, new RoomChange.MemberRole(BOB, Role.ADMIN));
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, Role.MEMBER));
    long until = System.currentTimeMillis() + 600_000;
    node.get(new RoomCommand.MuteMember(OWNER, room, BOB, until));
    assertTold(OWNER, new RoomChange.MemberMuted(BOB, until));
    node.get(new RoomCommand.Unmute(OWNER, room, BOB));
    assertTold(OWNER, new RoomChange.MemberMuted(BOB, null));
    node.get(new RoomCommand.RemoveMember(BOB, room, BOB));
    assertTold(BOB, new RoomChange.MemberLeft(BOB, LeaveReason.LEFT));
    node.get(new RoomCommand.Join(BOB, room));
    node.get(new RoomCommand.RemoveMember(OWNER, room, BOB));
    assertTold(OWNER, new RoomChange.MemberLeft(BOB, LeaveReason.REMOVED));
    node.get(new RoomCommand.Join(BOB, room));
    node.get(new RoomCommand.BanMember(OWNER, room, BOB, null));
    assertTold(OWNER, new RoomChange.MemberLeft(BOB, LeaveReason.BANNED));
  }

  @Test
  void settingsChangeAndTheRoomEnds() {
    RoomId room = channel();
    RoomSettings all = new RoomSettings("Green tea", "hot", HistoryRule.SINCE_JOIN, 30, 9L);
    node.get(new RoomCommand.ChangeRoom(OWNER, room, all));
    assertTold(OWNER, new RoomChange.Changed(all));
    RoomSettings none = new RoomSettings(null, "", null, 0, 0L);
    node.get(new RoomCommand.ChangeRoom(OWNER, room, none));
    assertTold(OWNER, new RoomChange.Changed(none));
    node.get(new RoomCommand.ArchiveRoom(OWNER, room));
    assertTold(OWNER, new RoomChange.Archived());
  }

  @Test
  void inABigRoomPeopleAreNumbers() {
    List<AccountId> many = LongStream.range(3, BIG).mapToObj(AccountId::new).toList();
    RoomId room = node.create(OWNER, RoomType.GROUP, "big", many).roomId();
    node.get(new RoomCommand.AddMember(OWNER, room, BOB, null));
    Rev joined = node.announcer.events.getLast().rev();
    assertTold(OWNER, new RoomChange.Members(joined, 1, 0, new RoomChange.MemberJoined(BOB)));
    node.get(new RoomCommand.RemoveMember(OWNER, room, BOB));
    Rev left = node.announcer.events.getLast().rev();
    assertTold(
        OWNER,
        new RoomChange.Members(left, 0, 1, new RoomChange.MemberLeft(BOB, LeaveReason.REMOVED)));
  }
}
