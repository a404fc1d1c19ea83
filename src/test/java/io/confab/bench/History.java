package io.confab.bench;

import io.confab.postgres.PostgresUrl;
import io.confab.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Pages of 50 of one long room, one request after the other: the newest, and one from the middle;
/// beside the bare query of the same rows over one connection.
final class History implements Part {
  private static final int PAGE = 50;
  private static final double NANOS_PER_MICRO = 1_000;

  private static final String QUERY =
      """
      SELECT seq, rev, sender_id, ts, client_id, msg_type, body FROM message
       WHERE room_id = ? AND seq < ? ORDER BY seq DESC LIMIT 50\
      """;

  /// One request, answered with how many messages came.
  private interface Page {
    int read() throws SQLException;
  }

  @Override
  public void run(Setting setting) {
    if (!setting.options().contestants().contains(ConfabNode.NAME)) {
      return;
    }
    long rows = setting.options().rows();
    try (ConfabNode node = new ConfabNode();
        Connection connection = TestDatabase.connect(node.database());
        PreparedStatement query = connection.prepareStatement(QUERY)) {
      ConfabSpeech person = node.people(Layout.one(2)).getFirst();
      long room = fill(node.database(), rows);
      JsonApi api = new JsonApi(node.port(), "Bearer " + person.token());
      String path = "/v1/rooms/" + person.room(0) + "/messages?limit=" + PAGE;
      List<Cell> cells = new ArrayList<>();
      for (long before : new long[] {rows + 1, rows / 2}) {
        String name =
            before > rows
                ? "the newest page of %,d messages".formatted(rows)
                : "a page from the middle of %,d".formatted(rows);
        String end = before > rows ? "" : "&before=" + before;
        Page asked = () -> api.get(path + end).getJsonArray("messages").size();
        Page bare = () -> read(query, room, before);
        cells.add(new Pages(node, ConfabNode.NAME, name, asked, setting));
        cells.add(new Pages(node, Floor.NAME, name, bare, setting));
      }
      setting.rounds().run(cells);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Answers the number of the only room.
  private static long fill(PostgresUrl database, long rows) throws SQLException {
    try (Connection connection = TestDatabase.connect(database);
        var statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
            SELECT m.room_id, i, m.last_rev + i, i, a.account_id, clock_timestamp(), 'c' || i, 'text',
                   repeat('x', 100)
              FROM room_position m, (SELECT min(account_id) AS account_id FROM room_member) a,
                   generate_series(1, %1$d) i;
          UPDATE room_position SET last_seq = %1$d, last_rev = last_rev + %1$d;\
          """
              .formatted(rows));
      statement.execute("VACUUM ANALYZE message");
      try (ResultSet room = statement.executeQuery("SELECT room_id FROM room_position")) {
        room.next();
        return room.getLong(1);
      }
    }
  }

  private static int read(PreparedStatement query, long room, long before) throws SQLException {
    query.setLong(1, room);
    query.setLong(2, before);
    int count = 0;
    try (ResultSet rows = query.executeQuery()) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  private record Pages(ConfabNode node, String contestant, String name, Page page, Setting setting)
      implements Cell {
    @Override
    public Measured measure() {
      Histogram times = new Histogram(3);
      Optional<String> fault = Optional.empty();
      Processes before = Processes.now();
      double seconds = setting.options().seconds();
      long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
      try {
        while (System.nanoTime() < end) {
          long from = System.nanoTime();
          if (page.read() != PAGE) {
            fault = Optional.of("another number of messages");
          }
          times.recordValue((long) ((System.nanoTime() - from) / NANOS_PER_MICRO));
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      Load load =
          Load.between(before, Processes.now(), node.roots(), ProcessHandle.current().pid());
      Map<String, Double> figures = new LinkedHashMap<>();
      double postgres = load.of(Role.POSTGRES) / times.getTotalCount();
      boolean bare = contestant.equals(Floor.NAME);
      figures.put(name + ": all of it, µs", bare ? postgres : load.total() / times.getTotalCount());
      figures.put(name + ": PostgreSQL, µs", postgres);
      figures.put(name + ": p50, ms", Outcome.millis(times, 50));
      figures.put(name + ": p99, ms", Outcome.millis(times, 99));
      return new Measured(figures, load.foreign(), fault);
    }
  }
}
