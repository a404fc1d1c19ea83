package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.message.MessageCommand.CheckSend;
import io.confab.message.MessageCommand.MaySend;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.confab.testing.proxy.Statements;
import io.confab.testing.proxy.TcpProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Who may send to a room of ten: account 2 is muted, 3 hides from all, 4 has blocked 5 and
/// somebody who is not in the room.
@ExtendWith(VertxExtension.class)
@Timeout(240)
class SendRightStoreIT {
  private static final long MEMBERS = 10;
  private static final long STRANGERS = 990;

  private final TestDatabase postgres = TestDatabase.create();
  private final Statements statements = new Statements();
  private final TcpProxy proxy;
  private final Database database;
  private final SendRightStore store;

  SendRightStoreIT(Vertx vertx) {
    postgres.execute(
        Chat.room(1, "group", 1, MEMBERS)
            + """
            INSERT INTO account (account_id, handle, display_name) VALUES (11, 'a11', 'A');
            UPDATE room_member SET muted_until = now() + interval '1 minute' WHERE account_id = 2;
            UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = 3;
            INSERT INTO block (account_id, blocked_id) VALUES (4, 5), (4, 11);
            ANALYZE;
            """);
    PostgresUrl url = postgres.nodeUrl();
    proxy = TcpProxy.before("postgresql://" + url.host() + ":" + url.port(), statements);
    database =
        new Database(
            vertx,
            new PostgresUrl("127.0.0.1", proxy.port(), url.database(), url.user(), url.password()),
            TestConfig.postgres());
    store = new SendRightStore(database, BatchedRead.Pace.of(vertx, Duration.ofMillis(100), 2));
  }

  @AfterEach
  void close() {
    Futures.get(database.close());
    proxy.close();
    postgres.close();
  }

  private Future<MaySend> ask(long account) {
    return store.check(new CheckSend(new AccountId(account), new RoomId(1), true));
  }

  /// Asks before PostgreSQL answers anybody, however long that takes.
  private List<Future<MaySend>> askTogether(LongStream accounts) {
    proxy.conduct(TcpProxy.Conduct.HOLD);
    List<Future<MaySend>> answers = accounts.mapToObj(this::ask).toList();
    proxy.conduct(TcpProxy.Conduct.PASS);
    return answers;
  }

  private long asked() {
    return statements.count("send_refused");
  }

  @Test
  void whoAskAtOnceShareStatementsAndGetTheirOwnAnswers() {
    Map<Long, Future<MaySend>> answers = new LinkedHashMap<>();
    askTogether(LongStream.rangeClosed(1, MEMBERS + STRANGERS))
        .forEach(answer -> answers.put(1L + answers.size(), answer));
    answers.forEach((who, answer) -> Futures.get(answer.otherwiseEmpty()));
    assertThat(asked()).isBetween(1L, 1 + (MEMBERS + STRANGERS) / SendRightStore.AT_ONCE + 1);
    answers.forEach(
        (who, answer) -> {
          if (who > MEMBERS) {
            assertThat(code(answer)).isEqualTo(ErrorCode.NOT_FOUND);
          } else if (who == 2) {
            assertThat(code(answer)).isEqualTo(ErrorCode.MUTED);
          } else {
            MaySend may = answer.result();
            assertThat(may.members()).isEqualTo(MEMBERS);
            assertThat(may.hidden()).isEqualTo(who == 3);
            assertThat(may.hiddenFrom())
                .isEqualTo(who == 4 ? List.of(new AccountId(5)) : List.of());
          }
        });
  }

  @Test
  void whoMaySendToASealedRoomMayTypeThere() {
    postgres.execute("UPDATE room_position SET sealed = true");
    assertThat(Futures.get(ask(1)).members()).isEqualTo(MEMBERS);
    Future<MaySend> muted = ask(2);
    Futures.get(muted.otherwiseEmpty());
    assertThat(code(muted)).isEqualTo(ErrorCode.MUTED);
  }

  private static ErrorCode code(Future<MaySend> answer) {
    return ((Refusal) answer.cause()).code();
  }

  @Test
  void twoSessionsOfAnAccountThatAskAtOnceAreOneQuestion() {
    List<Future<MaySend>> answers = askTogether(LongStream.of(6, 7, 7));
    Futures.get(Future.join(answers));
    assertThat(answers.get(1).result()).isEqualTo(answers.get(2).result());
    assertThat(asked()).isEqualTo(2);
  }
}
