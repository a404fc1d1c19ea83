package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.feed.EventStore;
import io.confab.feed.VisibilityStore;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogStoreIT {
  private static final long GROUP = 1;
  private static final long CHANNEL = 2;
  private static final int LAST = 6;

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final LogStore store;

  LogStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.store = new LogStore(database, new EventStore(database), new VisibilityStore(database));
  }

  /// Five messages, then the archiving; account 2 sees messages from the fourth on.
  @BeforeAll
  void fill() {
    postgres.execute(Chat.room(GROUP, "group", 1, 2) + Chat.room(CHANNEL, "channel", 1, 1));
    AppendStore log = Chat.log(database);
    await(
        log.append(
            IntStream.rangeClosed(1, 5).mapToObj(i -> Chat.draft(GROUP, 1, "c" + i)).toList()));
    await(log.close());
    postgres.execute(
        Chat.change(GROUP, "room.archived", "{}")
            + """
            UPDATE room_member SET sees_all = false WHERE room_id = 1 AND account_id = 2;
            INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
              VALUES (1, 2, 4, 4);
            """);
  }

  @AfterAll
  void close() {
    await(database.close());
    postgres.close();
  }

  private LogPage read(long caller, long epoch, long after, int limit) {
    return await(store.read(request(GROUP, caller, epoch, after, limit)));
  }

  private static ReadLog request(long room, long caller, long epoch, long after, int limit) {
    return new ReadLog(
        new AccountId(caller), new RoomId(room), new Epoch(epoch), new Rev(after), limit, false);
  }

  private static List<String> told(LogPage page) {
    return page.frames().stream()
        .map(frame -> new JsonObject(new String(frame, StandardCharsets.UTF_8)))
        .map(frame -> frame.getInteger("rev") + " " + frame.getString("kind", "message"))
        .toList();
  }

  @Test
  void pagesFollowEachOtherToTheEnd() {
    LogPage first = read(1, 1, 0, 4);
    assertThat(told(first)).containsExactly("1 message", "2 message", "3 message", "4 message");
    assertThat(first.recovered()).isTrue();
    assertThat(first.hasMore()).isTrue();
    assertThat(first.rev()).isEqualTo(new Rev(LAST));
    LogPage second = read(1, 1, 4, 4);
    assertThat(told(second)).containsExactly("5 message", "6 room.archived");
    assertThat(second.hasMore()).isFalse();
    LogPage end = read(1, 1, LAST, 4);
    assertThat(end.frames()).isEmpty();
    assertThat(end.recovered()).isTrue();
    assertThat(end.hasMore()).isFalse();
  }

  @Test
  void whatMayNotBeSeenIsNumberedAlone() {
    assertThat(told(read(2, 1, 0, 10)))
        .containsExactly(
            "1 hidden", "2 hidden", "3 hidden", "4 message", "5 message", "6 room.archived");
  }

  @Test
  void aPositionOfAnotherEpochOrAheadIsNotRecovered() {
    for (LogPage page : List.of(read(1, 2, 3, 10), read(1, 1, LAST + 1, 10))) {
      assertThat(page.recovered()).isFalse();
      assertThat(page.frames()).isEmpty();
      assertThat(page.hasMore()).isFalse();
      assertThat(page.epoch()).isEqualTo(new Epoch(1));
      assertThat(page.rev()).isEqualTo(new Rev(LAST));
    }
  }

  @Test
  void onlyMembersReadAndOnlyChannelsSayThatTheyExist() {
    assertThat(refusal(request(GROUP, 9, 1, 0, 5))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(request(99, 1, 1, 0, 5))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(request(CHANNEL, 9, 1, 0, 5))).isEqualTo(ErrorCode.FORBIDDEN);
  }

  private ErrorCode refusal(ReadLog request) {
    return catchThrowableOfType(Refusal.class, () -> await(store.read(request))).code();
  }
}
