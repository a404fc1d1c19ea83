package io.confab.postgres;

import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that the way to PostgreSQL became silent: connections stay open and carry nothing, while
/// new ones work, as after a server that died without a word or a firewall that forgot. Then all
/// open connections are closed, so that nobody has to find out for each of them.
///
/// It asks twice a second over a connection of its own. An answer that is late proves nothing by
/// itself: the server may be busy or frozen. It does when a connection that was opened later is
/// answered first. A new connection that is silent itself is given up soon: the one after it may be
/// the first that works.
final class SilenceWatch extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final long LATE_MS = 1_000;
  private static final Duration TRY = Duration.ofSeconds(1);

  private final Connections connections;
  private @Nullable SqlConnection connection;
  private Future<Void> question = Future.succeededFuture();
  private boolean suspicious;
  private boolean opening;

  SilenceWatch(Connections connections) {
    this.connections = connections;
  }

  @Override
  public Future<?> start() {
    tick();
    Moments.periodic(vertx, PERIOD, this::tick);
    return Future.succeededFuture();
  }

  private void tick() {
    SqlConnection current = connection;
    if (current == null || suspicious) {
      open();
    } else if (question.isComplete()) {
      ask(current);
    }
  }

  private void ask(SqlConnection current) {
    Future<Void> asked = select(current);
    question = asked;
    long timer = vertx.setTimer(LATE_MS, _ -> suspicious |= question == asked);
    asked.onComplete(
        answer -> {
          vertx.cancelTimer(timer);
          if (connection == current) {
            suspicious &= answer.failed();
            if (answer.failed()) {
              Connections.cut(current);
              connection = null;
            }
          }
        });
  }

  private static Future<Void> select(SqlConnection connection) {
    return connection.query("SELECT 1").execute().mapEmpty();
  }

  private void open() {
    if (!opening) {
      opening = true;
      connections
          .open(Map.of(), TRY)
          .compose(
              fresh ->
                  connections
                      .bounded(fresh, TRY, () -> select(fresh))
                      .onFailure(_ -> Connections.cut(fresh))
                      .map(fresh))
          .onSuccess(this::answered)
          .onComplete(_ -> opening = false);
    }
  }

  private void answered(SqlConnection fresh) {
    if (connection != null && !suspicious) {
      fresh.close(); // the late answer came meanwhile
      return;
    }
    if (suspicious) {
      LOG.warn("PostgreSQL answers on new connections only: those that were open are closed");
      connections.cutAllBut(fresh);
    }
    connection = fresh;
    question = Future.succeededFuture();
    suspicious = false;
  }
}
