package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryStoreIT {
  private static final long GROUP = 1;
  private static final long CHANNEL = 2;
  private static final long EMPTY = 3;
  private static final int LAST = 10;

  private final Vertx vertx = Vertx.vertx();
  private final TestDatabase postgres = TestDatabase.create();
  private final Database database = Chat.database(vertx, postgres.url());
  private final HistoryStore store = new HistoryStore(database);

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
    await(vertx.close());
    postgres.close();
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
  void twoPositionsAreRefused() {
    assertThat(refusal(request(GROUP, 1, new Seq(1), new Seq(2), 5)))
        .isEqualTo(ErrorCode.INVALID_FIELD);
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
    return new ReadHistory(new AccountId(caller), new RoomId(room), before, after, limit);
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
