package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.postgres.PostgresLogins;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A backend that is ended while its commit waits for a standby has committed, but cannot say
/// so.
@ExtendWith(VertxExtension.class)
@Timeout(180)
class UnknownOutcomeIT {
  private final Queue<Event> announced = new ConcurrentLinkedQueue<>();
  private final Announcer announcer =
      new Announcer() {
        @Override
        public void announce(List<Event> events) {
          announced.addAll(events);
        }

        @Override
        public void announce(RoomSignal signal) {}

        @Override
        public void signal(List<AccountSignal> signals) {}

        @Override
        public void moved(RoomId room, Rev rev) {}

        @Override
        public void signalOnce(List<AccountSignal> signals) {}
      };

  private static final int MESSAGES = 300;

  private final Vertx vertx;
  private final Context context;

  UnknownOutcomeIT(Vertx vertx) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
  }

  private interface Story {
    void tell(OwnPostgres server, MessageWriter writer) throws SQLException;
  }

  private void tell(Story story) throws SQLException {
    try (OwnPostgres server = new OwnPostgres()) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      Chat.execute(server.url(), Chat.room(1, "group", 1, 2));
      Database database = Chat.database(vertx, server.url());
      MessageWriter writer =
          new MessageWriters(
                  database,
                  announcer,
                  TestConfig.patient(TestConfig.node(Path.of("."))),
                  new Meters())
              .plain(vertx);
      await(send(writer, "first"));
      story.tell(server, writer);
      await(onLoop(writer::close));
      await(database.close());
    }
  }

  @Test
  void aCommitThatNobodyHeardOfIsAnnouncedAndARetryIsADuplicate() throws SQLException {
    tell(
        (server, writer) -> {
          int sends = untilOneIsLost(server, i -> send(writer, "send" + i));
          Awaitility.await().until(() -> announced.size() == 1 + sends);
          Sent retry = await(send(writer, "send" + (sends - 1)));
          assertThat(retry.duplicate()).isTrue();
          assertThat(retry.seq().value()).isEqualTo(1 + sends);
        });
  }

  @Test
  void anEditThatNobodyHeardOfIsAnnouncedAndARetryGetsItsRev() throws SQLException {
    tell(
        (server, writer) -> {
          int edits = untilOneIsLost(server, i -> edit(writer, i));
          Awaitility.await().until(() -> announced.size() == 1 + edits);
          assertThat(await(edit(writer, edits - 1)).rev().value()).isEqualTo(1 + edits);
          assertThat(announced).hasSize(1 + edits);
        });
  }

  @Test
  void aDeletionThatNobodyHeardOfIsAnnouncedAndARetryIsGone() throws SQLException {
    tell(
        (server, writer) -> {
          await(
              Future.all(
                  IntStream.range(1, MESSAGES).mapToObj(i -> send(writer, "send" + i)).toList()));
          int deletions = untilOneIsLost(server, i -> delete(writer, i));
          Awaitility.await().until(() -> announced.size() == MESSAGES + deletions);
          assertThatThrownBy(() -> await(delete(writer, deletions - 1)))
              .isInstanceOfSatisfying(
                  Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.GONE));
        });
  }

  /// Asks one after the other until the backend is ended while one of them waits for a standby;
  /// answers how many there were. The server takes the setting up a little later.
  private static <T> int untilOneIsLost(OwnPostgres server, IntFunction<Future<T>> ask)
      throws SQLException {
    waitForStandby(server, "'nobody'");
    List<Future<T>> asked = new ArrayList<>();
    Awaitility.await()
        .until(
            () -> {
              if (asked.isEmpty() || asked.getLast().isComplete()) {
                asked.add(ask.apply(asked.size()));
              }
              return endWaiting(server);
            });
    waitForStandby(server, "''");
    assertThatThrownBy(() -> await(asked.getLast()))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    return asked.size();
  }

  private Future<Sent> send(MessageWriter writer, String clientId) {
    return onLoop(() -> writer.append(Chat.draft(1, 1, clientId)));
  }

  private Future<Changed> edit(MessageWriter writer, int number) {
    return onLoop(() -> writer.change(Chat.edit(1, 1, 1, "edit" + number, "body " + number)));
  }

  private Future<Changed> delete(MessageWriter writer, int number) {
    return onLoop(() -> writer.change(Chat.deletion(1, 1L + number, 1)));
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> work) {
    return Future.future(done -> context.runOnContext(_ -> work.get().onComplete(done)));
  }

  private static void waitForStandby(OwnPostgres server, String name) throws SQLException {
    Chat.execute(server.url(), "ALTER SYSTEM SET synchronous_standby_names = " + name);
    Chat.execute(server.url(), "SELECT pg_reload_conf()");
  }

  private static boolean endWaiting(OwnPostgres server) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE wait_event = 'SyncRep'")) {
      return rows.next() && rows.getBoolean(1);
    }
  }
}
