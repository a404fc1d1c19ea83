package io.confab.presence;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.bus.Done;
import io.confab.config.Config;
import io.confab.feed.AccountSignal.StatusSet;
import io.confab.feed.AccountSignal.StatusTextChanged;
import io.confab.postgres.Database;
import io.confab.presence.PresenceCommand.SetPresence;
import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisUrl;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What Ann, who is account 1, says of herself while another transaction holds her rows. There is
/// one connection for reads.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class PresentPeopleIT {
  private static final AccountId ANN = new AccountId(1);
  private static final SetPresence AWAY = new SetPresence(ANN, PresenceStatus.AWAY, null);
  private static final SetPresence TEA = new SetPresence(ANN, null, "Tea");
  private static final String WAITS =
      " FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private final TestDatabase schema = TestDatabase.create();
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private final Database database;
  private final PresentPeople people;

  PresentPeopleIT(Vertx vertx) {
    Duration patience = Duration.ofSeconds(60);
    database =
        new Database(
            vertx,
            schema.nodeUrl(),
            new Config.Postgres(
                Optional.empty(), Optional.empty(), 1, 2, patience, patience, patience));
    PresenceShards shards = new PresenceShards(1);
    people =
        new PresentPeople(
            new NodeId("n"),
            shards,
            new RedisPresence(
                new RedisCommands(vertx, RedisUrl.parse("redis://127.0.0.1:1"), patience),
                new RedisKeys("test:"),
                shards,
                "calls"),
            new PresenceStore(database),
            announcer,
            _ -> {});
  }

  @BeforeEach
  void populate() {
    schema.execute("INSERT INTO account (account_id, handle, display_name) VALUES (1, 'a', 'A')");
    schema.execute("INSERT INTO account_changes (account_id) VALUES (1)");
  }

  @AfterEach
  void close() {
    get(database.close());
    schema.close();
  }

  @FunctionalInterface
  private interface Meanwhile {
    void run(Future<Done> said) throws SQLException;
  }

  /// Ann says it, and it waits for the lock until the end.
  private Future<Done> whileItWaits(SetPresence word, Meanwhile meanwhile) throws SQLException {
    try (Connection other = TestDatabase.connect(schema.url());
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT FROM account FOR UPDATE");
      statement.execute("SELECT FROM account_changes FOR UPDATE");
      Future<Done> said = people.set(word);
      await().until(() -> schema.count("SELECT count(*)" + WAITS) == 1);
      meanwhile.run(said);
      other.rollback();
      return said;
    }
  }

  @Test
  void aStatusOfWhichNobodyKnowsWhetherItWasChosenIsLookedForByAll() throws SQLException {
    assertThatAllLookAfterTheLossOf(AWAY);
  }

  @Test
  void aTextOfWhichNobodyKnowsWhetherItWasChangedIsLookedForByAll() throws SQLException {
    assertThatAllLookAfterTheLossOf(TEA);
  }

  private void assertThatAllLookAfterTheLossOf(SetPresence word) throws SQLException {
    Future<Done> said =
        whileItWaits(word, _ -> schema.execute("SELECT pg_terminate_backend(pid)" + WAITS));
    await().until(said::failed);
    await().untilAsserted(() -> assertThat(announcer.untold).hasValue(1));
    assertThat(announcer.signals).isEmpty();
  }

  @Test
  void whatWaitsKeepsNoReadWaitingAndIsToldWhenItIsDone() throws SQLException {
    for (SetPresence word : List.of(AWAY, TEA)) {
      Future<Done> said =
          whileItWaits(
              word,
              waiting -> {
                assertThat(get(people.look(List.of(ANN), List.of(ANN))).sights()).hasSize(1);
                assertThat(waiting.isComplete()).isFalse();
              });
      get(said);
    }
    assertThat(announcer.signals)
        .hasExactlyElementsOfTypes(StatusSet.class, StatusTextChanged.class);
    assertThat(announcer.untold).hasValue(0);
  }
}
