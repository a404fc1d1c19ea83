package io.confab.chaos;

import io.confab.ledger.FinalMarks;
import io.confab.ledger.FinalMarks.Marker;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalMarks.Receipt;
import io.confab.ledger.FinalRead;
import io.confab.ledger.Membership;
import io.confab.ledger.Stored;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a room as a whole, by SQL and as a member reads it over HTTP, and by SQL what was received
/// and read.
final class FinalReads {
  private static final int PAGE = 200;
  private static final int ACCOUNTS = 100_000;

  private FinalReads() {}

  static FinalRead sql(PostgresUrl url, String room) {
    try (Connection connection = TestDatabase.connect(url);
        var position =
            connection.prepareStatement(
                "SELECT epoch, last_rev FROM instance, room_position WHERE room_id = ?");
        var messages =
            connection.prepareStatement(
                "SELECT seq, rev, sender_id, client_id, body, deleted_at FROM message"
                    + " WHERE room_id = ? ORDER BY seq")) {
      long id = RoomId.parse(room).value();
      position.setLong(1, id);
      messages.setLong(1, id);
      ResultSet at = position.executeQuery();
      at.next();
      long epoch = at.getLong(1);
      List<Stored> found = new ArrayList<>();
      ResultSet rows = messages.executeQuery();
      while (rows.next()) {
        found.add(
            new Stored(
                room,
                epoch,
                rows.getLong(1),
                rows.getLong(2),
                new AccountId(rows.getLong(3)).toString(),
                rows.getString(4),
                rows.getTimestamp(6) == null ? hash(rows.getString(5)) : ""));
      }
      return new FinalRead("sql", room, epoch, at.getLong(2), found);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Of a message of a sealed room that of no body.
  private static String hash(@Nullable String body) {
    return body == null ? "" : BodyText.hash(body);
  }

  /// When who was a member of the room.
  static List<Membership> members(PostgresUrl url, String room) {
    try (Connection connection = TestDatabase.connect(url);
        var spans =
            connection.prepareStatement(
                "SELECT account_id, from_rev, coalesce(to_rev, 0) FROM member_span"
                    + " WHERE room_id = ?")) {
      spans.setLong(1, RoomId.parse(room).value());
      ResultSet rows = spans.executeQuery();
      List<Membership> found = new ArrayList<>();
      while (rows.next()) {
        String account = new AccountId(rows.getLong(1)).toString();
        found.add(new Membership(account, room, rows.getLong(2), rows.getLong(3)));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The rooms that an account is in.
  static Set<String> rooms(PostgresUrl url, String account) {
    try (Connection connection = TestDatabase.connect(url);
        var query =
            connection.prepareStatement("SELECT room_id FROM room_member WHERE account_id = ?")) {
      query.setLong(1, AccountId.parse(account).value());
      ResultSet rows = query.executeQuery();
      Set<String> found = new HashSet<>();
      while (rows.next()) {
        found.add(new RoomId(rows.getLong(1)).toString());
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The accounts in each room.
  static Map<String, Set<String>> members(PostgresUrl url) {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      Map<String, Set<String>> members = new HashMap<>();
      ResultSet rows = statement.executeQuery("SELECT account_id, room_id FROM room_member");
      while (rows.next()) {
        Place place = place(rows);
        members.computeIfAbsent(place.room(), _ -> new HashSet<>()).add(place.account());
      }
      return members;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What was received and read in all rooms.
  ///
  /// @param known by devices
  static FinalMarks marks(PostgresUrl url, List<FinalMarks.Known> known) {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      Map<Place, Marker> markers = new HashMap<>();
      ResultSet rows =
          statement.executeQuery(
              "SELECT account_id, room_id, read_seq, delivered_seq, coalesce(unread_from, 0)"
                  + " FROM marker");
      while (rows.next()) {
        markers.put(place(rows), new Marker(rows.getLong(3), rows.getLong(4), rows.getLong(5)));
      }
      Map<Place, Receipt> receipts = new HashMap<>();
      rows =
          statement.executeQuery(
              "SELECT account_id, room_id, read_seq, delivered_seq FROM receipt");
      while (rows.next()) {
        receipts.put(place(rows), new Receipt(rows.getLong(3), rows.getLong(4)));
      }
      Set<Place> silent = new HashSet<>();
      rows =
          statement.executeQuery(
              "SELECT m.account_id, m.room_id FROM room_member m"
                  + " JOIN room r USING (room_id) JOIN account a USING (account_id)"
                  + " WHERE NOT has_receipts(r.member_count) OR a.private_reading"
                  + " OR a.presence_visible_to = 'nobody'"
                  + " OR EXISTS (SELECT FROM block b WHERE b.account_id = a.account_id)");
      while (rows.next()) {
        silent.add(place(rows));
      }
      rows =
          statement.executeQuery(
              "SELECT differing FROM unread_drift(" + Long.MIN_VALUE + ", " + ACCOUNTS + ")");
      rows.next();
      return new FinalMarks(markers, receipts, silent, rows.getLong(1), known);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Place place(ResultSet row) throws SQLException {
    return new Place(
        new AccountId(row.getLong(1)).toString(), new RoomId(row.getLong(2)).toString());
  }

  static FinalRead history(ApiClient member, String room) {
    List<Stored> found = new ArrayList<>();
    JsonObject page;
    do {
      long last = found.isEmpty() ? 0 : found.getLast().seq();
      page =
          member.ok(
              "GET", "/v1/rooms/" + room + "/messages?after=" + last + "&limit=" + PAGE, null);
      long epoch = page.getLong("epoch");
      for (JsonObject message : Views.objects(page.getJsonArray("messages"))) {
        String body = message.getString("body");
        found.add(
            new Stored(
                room,
                epoch,
                message.getLong("seq"),
                message.getLong("rev"),
                message.getString("sender_id"),
                message.getString("client_id"),
                hash(body)));
      }
    } while (page.getBoolean("has_newer"));
    return new FinalRead("history", room, page.getLong("epoch"), page.getLong("rev"), found);
  }
}
