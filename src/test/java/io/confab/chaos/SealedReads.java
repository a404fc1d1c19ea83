package io.confab.chaos;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalQueues;
import io.confab.ledger.FinalQueues.Addressed;
import io.confab.ledger.FinalQueues.Waiting;
import io.confab.ledger.FinalRead;
import io.confab.ledger.Stored;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.scenario.ApiClient.Person;
import io.confab.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads what waits for devices of sealed rooms and what became of messages there, by SQL and as
/// their senders are told.
final class SealedReads {
  /// Messages of one answer.
  private static final int PAGE = 500;

  private final Map<String, FinalRead> rooms = new HashMap<>();
  private final Set<Place> asked = new HashSet<>();
  private final Map<Addressed, String> told = new HashMap<>();

  /// @param rooms as they are at the end
  SealedReads(List<FinalRead> rooms) {
    rooms.forEach(room -> this.rooms.put(room.room(), room));
  }

  /// What waits for devices that were not removed.
  static Map<Long, Waiting> queues(PostgresUrl url) {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      Map<Long, Waiting> queues = new HashMap<>();
      ResultSet rows =
          statement.executeQuery(
              "SELECT registration_id, gone_seq, last_seq FROM device_queue WHERE NOT ended");
      while (rows.next()) {
        queues.put(rows.getLong(1), new Waiting(rows.getLong(2), rows.getLong(3)));
      }
      return queues;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Asks as a member what became of its messages.
  void ask(Person person, int port, String room) {
    asked.add(new Place(person.accountId(), room));
    List<Long> own =
        messages(room).stream()
            .filter(message -> message.sender().equals(person.accountId()))
            .map(Stored::seq)
            .toList();
    for (int first = 0; first < own.size(); first += PAGE) {
      List<Long> page = own.subList(first, Math.min(first + PAGE, own.size()));
      String path = "/v1/rooms/" + room + "/deliveries?from_seq=" + page.getFirst();
      JsonArray accounts = person.at(port).ok("GET", path, null).getJsonArray("accounts");
      Views.objects(accounts).forEach(account -> told(room, page, account));
    }
  }

  private void told(String room, List<Long> page, JsonObject account) {
    String id = account.getString("account_id");
    for (Object run : account.getJsonArray("delivered", new JsonArray())) {
      JsonArray ends = (JsonArray) run;
      page.stream()
          .filter(seq -> ends.getLong(0) <= seq && seq <= ends.getLong(1))
          .forEach(seq -> told.put(new Addressed(room, seq, id), Entry.DELIVERED));
    }
    for (JsonObject failed : Views.objects(account.getJsonArray("failed", new JsonArray()))) {
      told.merge(
          new Addressed(room, failed.getLong("seq"), id),
          failed.getString("reason"),
          (one, other) -> one + " and " + other);
    }
  }

  private List<Stored> messages(String room) {
    FinalRead read = rooms.get(room);
    return read == null ? List.of() : read.messages();
  }

  /// All of it.
  FinalQueues read(PostgresUrl url) {
    return new FinalQueues(epoch(), queues(url), states(url), asked, told);
  }

  private long epoch() {
    return rooms.values().stream().mapToLong(FinalRead::epoch).max().orElse(0);
  }

  private Map<Addressed, String> states(PostgresUrl url) {
    try (Connection connection = TestDatabase.connect(url);
        var statement = connection.createStatement()) {
      Map<Addressed, String> states = new HashMap<>();
      ResultSet rows =
          statement.executeQuery("SELECT room_id, account_id, from_seq, to_seq FROM delivery_span");
      while (rows.next()) {
        String account = new AccountId(rows.getLong(2)).toString();
        String room = new RoomId(rows.getLong(1)).toString();
        long from = rows.getLong(3);
        long to = rows.getLong(4);
        messages(room).stream()
            .filter(m -> from <= m.seq() && m.seq() <= to && !m.sender().equals(account))
            .forEach(m -> states.put(new Addressed(room, m.seq(), account), Entry.DELIVERED));
      }
      rows =
          statement.executeQuery("SELECT room_id, account_id, seq, reason FROM delivery_failure");
      while (rows.next()) {
        states.merge(
            new Addressed(
                new RoomId(rows.getLong(1)).toString(),
                rows.getLong(3),
                new AccountId(rows.getLong(2)).toString()),
            rows.getString(4),
            (one, other) -> one + " and " + other);
      }
      return states;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
