package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.deletion;
import static io.confab.message.Chat.draft;
import static io.confab.message.Chat.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.message.MessageCommand.ReadVersions;
import io.confab.message.MessageCommand.Version;
import io.confab.message.MessageCommand.Versions;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
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
class VersionStoreIT {
  private static final long GROUP = 1;
  private static final long CHANNEL = 2;
  private static final long ANN = 1;
  private static final long BOB = 2;
  private static final long LATE = 3;
  private static final long STRANGER = 9;

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final VersionStore store;

  VersionStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.store = new VersionStore(database);
  }

  /// Message 1 was edited twice, 2 never, 3 was edited and deleted.
  @BeforeAll
  void fill() {
    postgres.execute(Chat.room(GROUP, "group", 1, 3) + Chat.room(CHANNEL, "channel", 1, 2));
    AppendStore log = Chat.log(database);
    await(
        log.append(
            List.of(
                draft(GROUP, ANN, "m1", "one"),
                draft(GROUP, ANN, "m2", "lone"),
                draft(GROUP, ANN, "m3", "secret"))));
    await(log.append(List.of(draft(CHANNEL, ANN, "c1"))));
    await(log.change(List.of(edit(GROUP, 1, ANN, "e1", "two"))));
    await(log.change(List.of(edit(GROUP, 1, ANN, "e2", "three"))));
    await(log.change(List.of(edit(GROUP, 3, ANN, "e3", "secret too"))));
    await(log.change(List.of(deletion(GROUP, 3, ANN))));
    await(log.close());
    postgres.execute(
        """
        UPDATE room_member SET sees_all = false WHERE room_id = 1 AND account_id = 3;
        INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq) VALUES (1, 3, 2, 2)\
        """);
  }

  @AfterAll
  void close() {
    await(database.close());
    postgres.close();
  }

  @Test
  void theOldestVersionComesFirstAndThePresentOneLast() {
    assertThat(bodies(read(BOB, 1, null, 10))).containsExactly("one", "two", "three");
    assertThat(read(BOB, 1, null, 10).versions()).extracting(Version::ts).isSorted();
    assertThat(read(BOB, 1, null, 10).next()).isNull();
    assertThat(bodies(read(BOB, 2, null, 10))).containsExactly("lone");
  }

  @Test
  void versionsComeInPages() {
    Versions first = read(BOB, 1, null, 2);
    assertThat(bodies(first)).containsExactly("one", "two");
    Versions second = read(BOB, 1, new Rev(Long.parseLong(String.valueOf(first.next()))), 2);
    assertThat(bodies(second)).containsExactly("three");
    assertThat(second.next()).isNull();
    assertThat(read(BOB, 1, new Rev(99), 2)).isEqualTo(new Versions(List.of(), null));
  }

  @Test
  void whoMayNotReadTheMessageReadsNoVersion() {
    assertThat(refusal(GROUP, BOB, 3)).isEqualTo(ErrorCode.GONE);
    assertThat(refusal(GROUP, BOB, 4)).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(GROUP, LATE, 1)).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(bodies(read(LATE, 2, null, 10))).containsExactly("lone");
    assertThat(refusal(GROUP, STRANGER, 1)).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal(CHANNEL, STRANGER, 1)).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refusal(77, ANN, 1)).isEqualTo(ErrorCode.NOT_FOUND);
  }

  private Versions read(long caller, long seq, @Nullable Rev after, int limit) {
    return await(store.read(request(GROUP, caller, seq, after, limit)));
  }

  private static ReadVersions request(
      long room, long caller, long seq, @Nullable Rev after, int limit) {
    return new ReadVersions(
        new AccountId(caller), new RoomId(room), new Seq(seq), after, limit, false);
  }

  private ErrorCode refusal(long room, long caller, long seq) {
    return catchThrowableOfType(
            Refusal.class, () -> await(store.read(request(room, caller, seq, null, 10))))
        .code();
  }

  private static List<String> bodies(Versions versions) {
    return versions.versions().stream().map(Version::body).toList();
  }
}
