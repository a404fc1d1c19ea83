package io.confab.message;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.postgres.Migrations;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.testing.OwnPostgres;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A backend that is ended while its commit waits for a standby has committed, but cannot say
/// so.
@Timeout(90)
class UnknownOutcomeIT {
  private final Queue<Event> announced = new ConcurrentLinkedQueue<>();
  private final Announcer announcer =
      new Announcer() {
        @Override
        public void announce(List<Event> events) {
          announced.addAll(events);
        }

        @Override
        public void ring(List<AccountNews> news) {}
      };

  @Test
  void aCommitThatNobodyHeardOfIsAnnouncedAndARetryIsADuplicate() throws SQLException {
    Vertx vertx = Vertx.vertx();
    try (OwnPostgres server = new OwnPostgres()) {
      new Migrations(server.url()).migrate();
      Chat.execute(server.url(), Chat.room(1, "group", 1, 2));
      Database database = Chat.database(vertx, server.url());
      MessageWriter writer =
          MessageWriter.create(
              vertx, database, announcer, TestConfig.node(Path.of(".")), new Meters());
      Context context = vertx.getOrCreateContext();
      await(send(context, writer, "first"));

      waitForStandby(server, "'nobody'");
      List<Future<Sent>> sends = new ArrayList<>();
      // The server takes the setting up a little later: the last send is the one that waits.
      Awaitility.await()
          .until(
              () -> {
                if (sends.isEmpty() || sends.getLast().isComplete()) {
                  sends.add(send(context, writer, "send" + sends.size()));
                }
                return endWaiting(server);
              });
      waitForStandby(server, "''");
      assertThatThrownBy(() -> await(sends.getLast()))
          .isInstanceOfSatisfying(
              Refusal.class, no -> assertThat(no.code()).isEqualTo(ErrorCode.UNAVAILABLE));

      Awaitility.await().until(() -> announced.size() == 1 + sends.size());
      Sent retry = await(send(context, writer, "send" + (sends.size() - 1)));
      assertThat(retry.duplicate()).isTrue();
      assertThat(retry.seq().value()).isEqualTo(1 + sends.size());
      await(
          Future.<Void>future(done -> context.runOnContext(_ -> writer.close().onComplete(done))));
      await(database.close());
    } finally {
      await(vertx.close());
    }
  }

  private static Future<Sent> send(Context context, MessageWriter writer, String clientId) {
    return Future.future(
        done ->
            context.runOnContext(_ -> writer.append(Chat.draft(1, 1, clientId)).onComplete(done)));
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
