package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.draft;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
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
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Two kinds of groups that share senders and rooms in opposite order, on connections that do
/// not keep to a lane, with copies and mismatches, people removed and added, backends ended at
/// random and the server killed; then everything that was answered is compared with what is
/// stored.
///
/// `confab.torture.seconds` is its length.
@ExtendWith(VertxExtension.class)
@Timeout(600)
class AppendTortureIT {
  private static final int WRITERS = 6;
  private static final int WINDOW = 25;
  private static final int ROOMS = 12;

  /// Nobody is removed here, and nothing is sent twice: its groups take the usual path.
  private static final int CALM_ROOM = ROOMS + 1;

  /// People are removed here for a moment, and nothing is sent twice: most groups take the usual
  /// path.
  private static final int RESTLESS_ROOM = ROOMS + 2;

  private static final int SENDERS = 30;
  private static final int CALM_STEPS = 200;
  private static final int KILLS = 2;
  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("confab.torture.seconds", 20));

  private final Vertx vertx;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> bugs = new ConcurrentLinkedQueue<>();
  private final Set<String> announced = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicLong underWay = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong fresh = new AtomicLong();

  private record Answer(Draft draft, @Nullable Sent sent, @Nullable ErrorCode refused) {}

  AppendTortureIT(Vertx vertx) {
    this.vertx = vertx;
  }

  @Test
  void nothingIsLostTwiceOrReordered() throws Exception {
    try (OwnPostgres server = new OwnPostgres("max_connections=60")) {
      new Migrations(PostgresLogins.of(server.url())).migrate();
      for (int room = 1; room <= RESTLESS_ROOM; room++) {
        Chat.execute(server.url(), Chat.room(room, "group", 1, SENDERS));
      }
      Chat.execute(server.url(), "UPDATE instance SET epoch = 3");
      Database database = Chat.database(vertx, server.url());
      List<Sender> senders = new ArrayList<>();
      List<MessageWriter> writers = new ArrayList<>();
      List<Context> contexts = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Config node = TestConfig.node(Path.of("."));
        MessageWriter writer =
            new MessageWriters(database, announcer(), node, new Meters()).plain(vertx);
        Context context = vertx.getOrCreateContext();
        writers.add(writer);
        contexts.add(context);
        Sender sender = new Sender(writer, i % 2 == 0, new Random(i));
        senders.add(sender);
        context.runOnContext(_ -> sender.fill());
      }
      int kills = nemesis(server);
      ending.set(true);
      Awaitility.await().until(() -> underWay.get() == 0);
      for (int i = 0; i < WRITERS; i++) {
        Sender sender = senders.get(i);
        int answered = answers.size();
        contexts.get(i).runOnContext(_ -> sender.sendAlone());
        Awaitility.await().until(() -> answers.size() > answered && underWay.get() == 0);
      }
      for (int i = 0; i < WRITERS; i++) {
        MessageWriter writer = writers.get(i);
        Context context = contexts.get(i);
        await(
            Future.<Void>future(
                done -> context.runOnContext(_ -> writer.close().onComplete(done))));
      }
      await(database.close());
      check(server, kills);
    }
  }

  private Announcer announcer() {
    return new Announcer() {
      @Override
      public void announce(List<Event> events) {
        events.forEach(event -> announced.add(event.room().value() + "/" + event.rev()));
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
  }

  /// Keeps a window of sends under way and repeats what was `unavailable` with the same id.
  private final class Sender {
    private final MessageWriter writer;
    private final boolean ascending;
    private final Random random;
    private long step;

    Sender(MessageWriter writer, boolean ascending, Random random) {
      this.writer = writer;
      this.ascending = ascending;
      this.random = random;
    }

    void fill() {
      for (int i = 0; i < WINDOW; i++) {
        sendNext();
      }
    }

    private void sendNext() {
      if (ending.get()) {
        return;
      }
      underWay.incrementAndGet();
      send(next());
    }

    /// Nobody else sends, so no group has more than it.
    void sendAlone() {
      underWay.incrementAndGet();
      send(fresh(CALM_ROOM, 1));
    }

    /// Rooms and senders go round in one direction or the other; ids are shared by all writers,
    /// so about half of the sends are copies; some say something else under the same id.
    private Draft next() {
      step++;
      long place = ascending ? step : -step;
      long sender = 1 + Math.floorMod(place, (long) SENDERS);
      switch ((int) (step / CALM_STEPS % 3)) {
        case 1 -> {
          return fresh(CALM_ROOM, sender);
        }
        case 2 -> {
          return fresh(RESTLESS_ROOM, sender);
        }
        default -> {}
      }
      long number = random.nextLong(1 + answers.size() / 40);
      long room = 1 + Math.floorMod(number + sender, (long) ROOMS);
      String body = body(number);
      if (random.nextInt(20) == 0) {
        body = "other";
      } else if (random.nextInt(20) == 0) {
        room = 1 + Math.floorMod(place, (long) ROOMS);
      }
      return draft(room, sender, "n" + number, body);
    }

    private Draft fresh(long room, long sender) {
      long number = fresh.incrementAndGet();
      return draft(room, sender, "fresh" + number, body(number));
    }

    /// Each third names somebody, some of them everybody too.
    private String body(long number) {
      return switch ((int) (number % 6)) {
        case 0 -> "to @a" + (1 + number / 6 % SENDERS);
        case 3 -> "to @a" + (1 + number / 6 % SENDERS) + " @all";
        default -> "body";
      };
    }

    private void send(Draft draft) {
      writer.append(draft).onComplete(sent -> done(draft, sent));
    }

    private void done(Draft draft, AsyncResult<Sent> result) {
      if (result.cause() instanceof Refusal refusal && refusal.code() == ErrorCode.UNAVAILABLE) {
        unknown.incrementAndGet();
        vertx.timer(50).onComplete(_ -> send(draft));
        return;
      }
      if (result.cause() instanceof Refusal refusal) {
        answers.add(new Answer(draft, null, refusal.code()));
      } else if (result.failed()) {
        bugs.add(result.cause());
      } else {
        answers.add(new Answer(draft, result.result(), null));
      }
      underWay.decrementAndGet();
      sendNext();
    }
  }

  /// Ends backends, removes and adds people, and kills the server at a third and two thirds, or
  /// later where the machine stands still.
  private int nemesis(OwnPostgres server) {
    Random random = new Random(99);
    long start = System.nanoTime();
    int kills = 0;
    while (kills < KILLS || System.nanoTime() - start < LENGTH.toNanos()) {
      if (System.nanoTime() - start > (kills + 1) * LENGTH.toNanos() / 3 && kills < KILLS) {
        server.kill();
        server.start();
        kills++;
      }
      try (var connection = TestDatabase.connect(server.url());
          var statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int i = 0; i < 20; i++) {
          statement.execute(move(1 + random.nextInt(ROOMS), 1 + random.nextInt(SENDERS)));
          connection.commit();
          String there = move(RESTLESS_ROOM, 1 + random.nextInt(SENDERS));
          statement.execute(there);
          connection.commit();
          statement.execute(there);
          connection.commit();
        }
        statement.execute(
            "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                + " WHERE application_name = 'confab' ORDER BY random() LIMIT 1) a");
        connection.commit();
      } catch (SQLException e) {
        bugs.add(e);
      }
      awaitMoreAnswers();
    }
    return kills;
  }

  /// After each fault the writers must go on before the next one comes.
  private void awaitMoreAnswers() {
    int before = answers.size();
    Awaitility.await().pollDelay(Duration.ZERO).until(() -> answers.size() >= before + 50);
  }

  /// Removes a member or adds it again, under the room's lock.
  private static String move(long room, long account) {
    return """
    DO $$ BEGIN
      PERFORM 1 FROM room_position WHERE room_id = %1$d FOR UPDATE;
      DELETE FROM room_member WHERE room_id = %1$d AND account_id = %2$d;
      IF FOUND THEN %3$s
      ELSE
        INSERT INTO room_member (room_id, account_id, role) VALUES (%1$d, %2$d, 'member');
        %4$s
      END IF;
    END $$\
    """
        .formatted(
            room,
            account,
            Chat.change(room, "member.left", "{\"account_id\": " + account + "}"),
            Chat.change(room, "member.joined", "{\"account_id\": " + account + "}"));
  }

  private void check(OwnPostgres server, int kills) throws SQLException {
    assertThat(bugs).isEmpty();
    assertThat(kills).isEqualTo(KILLS);
    assertThat(server.log()).doesNotContain("deadlock detected");
    for (String offenders : Chat.INVARIANTS) {
      assertThat(count(server, offenders)).as(offenders).isZero();
    }
    Chat.execute(
        server.url(),
        "CREATE INDEX ON room_change (room_id, ((data->>'account_id')::bigint), rev)");
    assertThat(count(server, WHILE_REMOVED)).as("messages of people who were out").isZero();
    assertThat(count(server, MENTIONED)).as("mentions").isPositive();
    assertThat(count(server, MENTIONED_OTHERWISE)).as("mentions but of members").isZero();
    Map<String, Stored> stored = stored(server);
    Map<String, Long> first = new HashMap<>();
    Map<String, Long> counts = new TreeMap<>();
    for (Answer answer : answers) {
      Draft draft = answer.draft();
      String key = draft.senderId().value() + "/" + draft.clientId();
      Stored message = stored.getOrDefault(key, NOTHING);
      boolean same =
          message.room() == draft.roomId().value() && message.body().equals(draft.body());
      Sent sent = answer.sent();
      if (sent != null) {
        assertThat(same).as("acknowledged %s", draft).isTrue();
        assertThat(sent.seq().value()).isEqualTo(message.seq());
        assertThat(sent.rev().value()).isEqualTo(message.rev());
        if (!sent.duplicate()) {
          assertThat(first.merge(key, 1L, Long::sum)).as("stored once: %s", key).isEqualTo(1);
        }
        counts.merge(sent.duplicate() ? "duplicate" : "stored", 1L, Long::sum);
      } else {
        counts.merge(String.valueOf(answer.refused()), 1L, Long::sum);
        assertThat(answer.refused()).isIn(ErrorCode.IDEMPOTENCY_MISMATCH, ErrorCode.NOT_FOUND);
        boolean falseMismatch =
            answer.refused() == ErrorCode.IDEMPOTENCY_MISMATCH && (same || message.equals(NOTHING));
        assertThat(falseMismatch).as("mismatch of %s", draft).isFalse();
      }
    }
    assertThat(stored.values())
        .as("announced")
        .allMatch(message -> announced.contains(message.room() + "/" + message.rev()));
    System.out.println(
        "torture: "
            + LENGTH
            + " stored "
            + stored.size()
            + " answers "
            + counts
            + " unavailable "
            + unknown
            + " unheard "
            + (stored.size() - first.size()));
  }

  private static final String WHILE_REMOVED =
      """
      SELECT count(*) FROM message m WHERE 'member.left' =
        (SELECT c.kind FROM room_change c WHERE c.room_id = m.room_id AND c.rev < m.rev
            AND (c.data->>'account_id')::bigint = m.sender_id ORDER BY c.rev DESC LIMIT 1)\
      """;

  private static final String MENTIONED = "SELECT count(*) FROM mention WHERE account_id > 0";

  /// Whom a body names is mentioned if it is another one who was in the room.
  private static final String MENTIONED_OTHERWISE =
      """
      SELECT count(*)
        FROM (SELECT *, substring(body FROM '@a([0-9]+)')::bigint AS named FROM message) m
       WHERE m.mentions IS DISTINCT FROM nullif(
         CASE WHEN m.body LIKE '%@all' THEN '{0}'::bigint[] ELSE '{}' END
         || CASE WHEN m.named <> m.sender_id AND 'member.left' IS DISTINCT FROM
              (SELECT c.kind FROM room_change c WHERE c.room_id = m.room_id AND c.rev < m.rev
                  AND (c.data->>'account_id')::bigint = m.named ORDER BY c.rev DESC LIMIT 1)
            THEN ARRAY[m.named] ELSE '{}' END, '{}')\
      """;

  private static final Stored NOTHING = new Stored(0, 0, 0, "");

  private record Stored(long room, long seq, long rev, String body) {}

  private static Map<String, Stored> stored(OwnPostgres server) throws SQLException {
    Map<String, Stored> stored = new HashMap<>();
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT sender_id || '/' || client_id, room_id, seq, rev, body FROM message")) {
      while (rows.next()) {
        var message =
            new Stored(rows.getLong(2), rows.getLong(3), rows.getLong(4), rows.getString(5));
        assertThat(stored.put(rows.getString(1), message)).as("stored twice").isNull();
      }
    }
    return stored;
  }

  private static long count(OwnPostgres server, String sql) throws SQLException {
    try (var connection = TestDatabase.connect(server.url());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
