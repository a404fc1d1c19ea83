package io.confab.account;

import static io.confab.testing.Futures.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Again;
import io.confab.account.AccountCommand.BeginOnce;
import io.confab.account.AccountCommand.Begun;
import io.confab.account.AccountCommand.Fresh;
import io.confab.account.AccountCommand.KeepAnswer;
import io.confab.account.AccountCommand.LeaveUnanswered;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Calls with a key, on PostgreSQL, by two nodes.
@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class KeptAnswersIT {
  private static final String BODY = "aa".repeat(32);
  private static final String OTHER_BODY = "bb".repeat(32);
  private static final CallKey KEY = key("k");
  private static final Secret ANSWER = new Secret("{\"code\":\"an invitation\"}");

  private TestDatabase database;
  private AccountNode node;
  private AccountNode other;
  private Database client;

  @BeforeAll
  void open(Vertx vertx) {
    database = TestDatabase.create();
    node = new AccountNode(vertx, database.url());
    other = new AccountNode(vertx, database.url());
    client = new Database(vertx, database.url(), TestConfig.postgres());
  }

  @BeforeEach
  void forget() {
    database.execute("DELETE FROM kept_answer");
  }

  @AfterAll
  void close() {
    node.close();
    other.close();
    Futures.get(client.close());
    database.close();
  }

  private static CallKey key(String key) {
    return CallKey.of(new AccountId(1), "POST /v1/rooms", key);
  }

  private static BeginOnce begin(CallKey key, String body) {
    return new BeginOnce(key, body, Duration.ofMinutes(1));
  }

  private long fresh(AccountNode at, CallKey key) {
    return ((Fresh) at.get(begin(key, BODY))).seed();
  }

  @Test
  void aRepeatedCallGetsTheSameAnswerOnEveryNode() {
    node.get(new KeepAnswer(KEY, fresh(node, KEY), 201, ANSWER));

    assertThat(node.get(begin(KEY, BODY))).isEqualTo(new Again(201, ANSWER));
    assertThat(other.get(begin(KEY, BODY))).isEqualTo(new Again(201, ANSWER));
    assertThat(refusal(other.ask(begin(KEY, OTHER_BODY))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH);
  }

  @Test
  void anAnswerIsNotStoredAsItReads() {
    node.get(new KeepAnswer(KEY, fresh(node, KEY), 201, ANSWER));

    assertThat(database.count("SELECT count(*) FROM kept_answer WHERE answer <> ''")).isOne();
    assertThat(
            database.count(
                "SELECT count(*) FROM kept_answer"
                    + " WHERE position('invitation'::bytea IN answer) > 0"))
        .isZero();
  }

  @Test
  void keysOfOthersAndOfOtherCallsAreOthers() {
    fresh(node, KEY);
    fresh(node, CallKey.of(new AccountId(2), "POST /v1/rooms", "k"));
    fresh(node, CallKey.of(null, "POST /v1/rooms", "k"));
    fresh(node, CallKey.of(new AccountId(1), "POST /v1/admin/accounts", "k"));
    assertThat(database.count("SELECT count(*) FROM kept_answer")).isEqualTo(4);
  }

  @Test
  void ofManyWhoBeginAtOnceOneMakesTheCall() {
    List<Begun> begun =
        IntStream.range(0, 40)
            .mapToObj(i -> (i % 2 == 0 ? node : other).ask(begin(KEY, BODY)))
            .toList()
            .stream()
            .map(future -> Futures.get(future.recover(KeptAnswersIT::underWay)))
            .toList();

    assertThat(begun).filteredOn(Fresh.class::isInstance).hasSize(1);
  }

  private static Future<Begun> underWay(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() == ErrorCode.UNAVAILABLE
        ? Future.succeededFuture(new Again(0, ANSWER))
        : Future.failedFuture(failure);
  }

  @Test
  void whatIsUnderWayIsUnavailableAndAfterItsTimeMadeWithTheSameSeed() {
    long seed = fresh(node, KEY);
    assertThat(refusal(other.ask(begin(KEY, BODY)))).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(refusal(other.ask(begin(KEY, OTHER_BODY))))
        .isEqualTo(ErrorCode.IDEMPOTENCY_MISMATCH);

    database.execute("UPDATE kept_answer SET lease_until = now()"); // the node died
    assertThat(fresh(other, KEY)).isEqualTo(seed);
    node.get(new LeaveUnanswered(KEY, seed, false));
    assertThat(node.get(begin(KEY, BODY))).isEqualTo(new Fresh(seed, false));
  }

  @Test
  void whatIsUnderWayIsNotForgottenForNewerOnes() {
    long seed = fresh(node, KEY);
    database.execute(
        """
        INSERT INTO kept_answer (caller_id, call_hash, body_hash, seed, lease_until, begun_at, status)
          SELECT 1, 'newer' || i, '', i, now(), now() + interval '1 minute', 201
            FROM generate_series(1, %d) i
        """
            .formatted(KeptAnswers.MOST_CALLS + 1));
    CallKey newest = key("newest");
    node.get(new KeepAnswer(newest, fresh(node, newest), 201, ANSWER));

    assertThat(refusal(other.ask(begin(KEY, BODY)))).isEqualTo(ErrorCode.UNAVAILABLE);
    node.get(new KeepAnswer(KEY, seed, 201, ANSWER));
  }

  @Test
  void whatMadeNothingFreesItsKey() {
    long seed = fresh(node, KEY);
    node.get(new LeaveUnanswered(KEY, seed, true));

    assertThat(((Fresh) node.get(begin(KEY, OTHER_BODY))).seed()).isNotEqualTo(seed);
  }

  @Test
  void anAnswerIsKeptForADay() {
    long seed = fresh(node, KEY);
    node.get(new KeepAnswer(KEY, seed, 201, ANSWER));
    database.execute("UPDATE kept_answer SET begun_at = now() - interval '24 hours'");

    assertThat(((Fresh) node.get(begin(KEY, OTHER_BODY))).seed()).isNotEqualTo(seed);
    node.get(new KeepAnswer(KEY, seed, 201, ANSWER)); // too late: of the call of yesterday
    assertThat(database.count("SELECT count(*) FROM kept_answer WHERE status = 0")).isEqualTo(1);
    database.execute("UPDATE kept_answer SET begun_at = now() - interval '24 hours'");
    Futures.get(new KeptAnswerStore(client).forgetOld(client.client(), 100));
    assertThat(database.count("SELECT count(*) FROM kept_answer")).isZero();
  }

  @Test
  void tenThousandKeysLeaveTheNewestThousand() {
    database.execute(
        """
        INSERT INTO kept_answer (caller_id, call_hash, body_hash, seed, lease_until, begun_at)
        SELECT 1, i::text, '', i, now(), now() - i * interval '1 second'
          FROM generate_series(1, 10000) i
        """);
    CallKey others = CallKey.of(new AccountId(2), "POST /v1/rooms", "k");
    fresh(node, others);
    node.get(new KeepAnswer(KEY, fresh(node, KEY), 201, ANSWER));

    assertThat(database.count("SELECT count(*) FROM kept_answer WHERE caller_id = 1"))
        .isEqualTo(1_000);
    assertThat(node.get(begin(KEY, BODY))).isInstanceOf(Again.class);
    assertThat(database.count("SELECT count(*) FROM kept_answer WHERE caller_id = 2")).isOne();
  }

  @Test
  void largeAnswersLeaveTheNewestThatTogetherHaveRoom() {
    KeptAnswerStore store = new KeptAnswerStore(client);
    for (int i = 0; i < 10; i++) {
      CallKey key = key("k" + i);
      Futures.get(
          store.keep(key, fresh(node, key), 200, Buffer.buffer(new byte[1_000]), 1_000, 5_000));
    }

    assertThat(database.count("SELECT count(*) FROM kept_answer")).isEqualTo(5);
  }
}
