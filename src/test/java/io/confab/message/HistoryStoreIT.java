package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.feed.EventStore;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.Point;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryStoreIT {
  private static final AccountId ANN = new AccountId(1);
  private static final long GROUP = 1;
  private static final long CHANNEL = 2;
  private static final long EMPTY = 3;
  private static final int LAST = 10;

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final HistoryStore store;

  HistoryStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.store = new HistoryStore(database);
  }

  @BeforeAll
  void fill() {
    postgres.execute(Chat.room(GROUP, "group", 1, 2) + Chat.room(CHANNEL, "channel", 1, 2));
    postgres.execute(Chat.room(EMPTY, "group", 1, 2));
    postgres.execute(Chat.change(GROUP, "room.archived", "{}"));
    AppendStore log = Chat.log(database);
    await(
        log.append(
            IntStream.rangeClosed(1, LAST).mapToObj(i -> Chat.draft(GROUP, 1, "c" + i)).toList()));
    await(log.close());
  }

  @AfterAll
  void close() {
    await(database.close());
    postgres.close();
  }

  @Test
  void pagesOfLargeMessagesEndWhereTheirBytesAreReached() {
    postgres.execute(Chat.room(700, "group", 1, 2));
    postgres.execute(
        """
        INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
          SELECT 700, n, n, n, 1, now(), 'c' || n, 'text', repeat('x', 16000)
            FROM generate_series(1, 100) n;
        UPDATE room_position SET last_seq = 100, last_rev = 100 WHERE room_id = 700\
        """);
    int fit = Math.ceilDiv(EventStore.PAGE_BYTES, 16_000);
    expect(large(Point.BEFORE, 101), 101 - fit, 100, true, false);
    expect(large(Point.AFTER, 0), 1, fit, false, true);
    expect(large(Point.AROUND, 50), 50 - fit, 49 + fit, true, true);
    expect(large(Point.AFTER, 99), 100, 100, true, false);
  }

  private HistoryPage large(Point point, long at) {
    return await(store.read(new ReadHistory(ANN, new RoomId(700), point, new Seq(at), 200)));
  }

  @Test
  void withoutAPositionItIsTheNewestPage() {
    HistoryPage page = read(null, null, 3);
    expect(page, 8, 10, true, false);
    assertThat(page.seq()).isEqualTo(new Seq(LAST));
    assertThat(page.rev().value()).isEqualTo(LAST + 1);
    assertThat(page.messages().getFirst().body()).isEqualTo("said c8");
    assertThat(page.messages().getFirst().rev().value()).isEqualTo(9);
  }

  @Test
  void pagesBeforeAPosition() {
    expect(read(8L, null, 3), 5, 7, true, true);
    expect(read(3L, null, 3), 1, 2, false, true);
    expect(read(1L, null, 3), 1, 0, false, true);
    expect(read(1_000L, null, 3), 8, 10, true, false);
  }

  @Test
  void pagesAfterAPosition() {
    expect(read(null, 0L, 3), 1, 3, false, true);
    expect(read(null, 7L, 3), 8, 10, true, false);
    expect(read(null, 10L, 3), 1, 0, true, false);
    expect(read(null, 1_000L, 3), 1, 0, true, false);
  }

  @Test
  void anEmptyRoomHasNothingOnEitherSide() {
    for (ReadHistory request :
        List.of(
            request(EMPTY, 1, null, null, 5),
            request(EMPTY, 1, new Seq(4), null, 5),
            request(EMPTY, 1, null, new Seq(4), 5))) {
      expect(await(store.read(request)), 1, 0, false, false);
    }
  }

  @Test
  void onlyMembersReadAndOnlyChannelsSayThatTheyExist() {
    assertThat(refusal(request(GROUP, 9, null, null, 5))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(request(99, 1, null, null, 5))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(request(CHANNEL, 9, null, null, 5))).isEqualTo(ErrorCode.FORBIDDEN);
  }

  @Test
  void aPageAroundAMessageHasItInTheMiddle() {
    expect(around(GROUP, 1, 5, 4), 3, 6, true, true);
    expect(around(GROUP, 1, 5, 5), 3, 7, true, true);
    expect(around(GROUP, 1, 1, 4), 1, 2, false, true);
    expect(around(GROUP, 1, LAST, 4), 8, LAST, true, false);
    expect(around(GROUP, 1, 1_000, 4), 9, LAST, true, false);
    expect(around(GROUP, 1, 5, 1), 5, 5, true, true);
    expect(around(EMPTY, 1, 5, 4), 1, 0, false, false);
  }

  /// A room of 12 messages in which account 1 is since the eighth, and was while the third to
  /// fifth were said.
  private void sinceJoin(long room, String earlierSpan) {
    postgres.execute(Chat.room(room, "group", 1, 2));
    AppendStore log = Chat.log(database);
    await(
        log.append(
            IntStream.rangeClosed(1, 12)
                .mapToObj(i -> Chat.draft(room, 2, room + "-" + i))
                .toList()));
    await(log.close());
    postgres.execute(
        """
        UPDATE room_member SET sees_all = false WHERE room_id = %1$d AND account_id = 1;
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq, to_rev, seen_to_seq)
          VALUES %2$s, (%1$d, 1, 10, 8, NULL, NULL)
        """
            .formatted(room, earlierSpan));
  }

  private static List<Long> seqs(HistoryPage page) {
    return page.messages().stream().map(message -> message.seq().value()).toList();
  }

  @Test
  void whoSeesOnlyItsSpansReadsOverTheGapsBetweenThem() {
    sinceJoin(10, "(10, 1, 3, 3, 6, 5)");
    HistoryPage newest = await(store.read(ReadHistory.newest(ANN, new RoomId(10), 6)));
    assertThat(seqs(newest)).containsExactly(5L, 8L, 9L, 10L, 11L, 12L);
    assertThat(newest.hasOlder()).isTrue();
    assertThat(newest.hasNewer()).isFalse();
    HistoryPage rest = await(store.read(at(10, Point.BEFORE, 5, 6)));
    assertThat(seqs(rest)).containsExactly(3L, 4L);
    assertThat(rest.hasOlder()).isFalse();
    HistoryPage oldest = await(store.read(ReadHistory.oldest(ANN, new RoomId(10), 4)));
    assertThat(seqs(oldest)).containsExactly(3L, 4L, 5L, 8L);
    assertThat(oldest.hasOlder()).isFalse();
    assertThat(oldest.hasNewer()).isTrue();
    assertThat(seqs(await(store.read(at(10, Point.AROUND, 6, 4))))).containsExactly(4L, 5L, 8L, 9L);
    assertThat(seqs(await(store.read(at(10, Point.AFTER, 12, 4))))).isEmpty();
  }

  @Test
  void aSpanThatShowedEverythingIsNotReadTwice() {
    sinceJoin(11, "(11, 1, 2, 2, 3, 2), (11, 1, 4, 1, 6, 5)");
    HistoryPage all = await(store.read(ReadHistory.oldest(ANN, new RoomId(11), 20)));
    assertThat(seqs(all)).containsExactly(1L, 2L, 3L, 4L, 5L, 8L, 9L, 10L, 11L, 12L);
    assertThat(all.hasNewer()).isFalse();
  }

  @Test
  void ofARoomWhereNothingIsShownYetThereIsNothingOnEitherSide() {
    sinceJoin(12, "(12, 1, 3, 3, 3, 2)");
    postgres.execute(
        "UPDATE member_span SET seen_from_seq = 13 WHERE room_id = 12 AND seen_from_seq = 8");
    expect(await(store.read(ReadHistory.newest(ANN, new RoomId(12), 5))), 1, 0, false, false);
    expect(await(store.read(ReadHistory.oldest(ANN, new RoomId(12), 5))), 1, 0, false, false);
    expect(around(12, 1, 5, 4), 1, 0, false, false);
  }

  private HistoryPage around(long room, long caller, long seq, int limit) {
    return await(
        store.read(
            new ReadHistory(
                new AccountId(caller), new RoomId(room), Point.AROUND, new Seq(seq), limit)));
  }

  private static ReadHistory at(long room, Point point, long seq, int limit) {
    return new ReadHistory(ANN, new RoomId(room), point, new Seq(seq), limit);
  }

  private HistoryPage read(@Nullable Long before, @Nullable Long after, int limit) {
    return await(
        store.read(
            request(
                GROUP,
                1,
                before == null ? null : new Seq(before),
                after == null ? null : new Seq(after),
                limit)));
  }

  private static ReadHistory request(
      long room, long caller, @Nullable Seq before, @Nullable Seq after, int limit) {
    AccountId account = new AccountId(caller);
    RoomId id = new RoomId(room);
    if (after != null) {
      return new ReadHistory(account, id, Point.AFTER, after, limit);
    }
    return before == null
        ? ReadHistory.newest(account, id, limit)
        : new ReadHistory(account, id, Point.BEFORE, before, limit);
  }

  private ErrorCode refusal(ReadHistory request) {
    return catchThrowableOfType(Refusal.class, () -> await(store.read(request))).code();
  }

  private static void expect(HistoryPage page, long from, long to, boolean older, boolean newer) {
    assertThat(page.messages().stream().map(message -> message.seq().value()))
        .containsExactlyElementsOf(LongStream.rangeClosed(from, to).boxed().toList());
    assertThat(page.hasOlder()).isEqualTo(older);
    assertThat(page.hasNewer()).isEqualTo(newer);
  }
}
