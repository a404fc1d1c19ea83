package io.confab.queue;

import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Envelope;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueCommand.Waiting;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The queues of devices in PostgreSQL, as their devices read and empty them: of many devices in
/// one statement.
final class QueueStore {
  private static final String OPEN =
      """
      SELECT i.epoch, o.*,
             ARRAY(SELECT m.room_id FROM room_member m
                    CROSS JOIN LATERAL (SELECT * FROM room_position p WHERE p.room_id = m.room_id OFFSET 0) p
                    WHERE m.account_id = ($1::bigint[])[o.place] AND p.sealed LIMIT 10000) AS rooms
        FROM instance i CROSS JOIN LATERAL open_queues($1, $2) o\
      """;

  private static final String RETURN = "SELECT * FROM return_queues($1)";

  /// What a queue holds and where it ends are of one snapshot.
  private static final String READ =
      """
      WITH r AS MATERIALIZED (SELECT * FROM read_queues($1, $2, $3, $4))
      SELECT i.epoch, d.i, q.last_seq, q.gone_seq, r.*
        FROM instance i
       CROSS JOIN unnest($1::bigint[]) WITH ORDINALITY AS d (registration_id, i)
        LEFT JOIN LATERAL (SELECT * FROM device_queue q
                            WHERE q.registration_id = d.registration_id AND NOT q.ended LIMIT 1) q ON true
        LEFT JOIN r ON r.place = d.i
       ORDER BY d.i, r.seq\
      """;

  private static final String ACK = "SELECT * FROM ack_queues($1, $2, $3, $4)";

  /// Which accounts show in a room what they received, and from whom they hide it.
  private static final String AUDIENCE =
      """
      SELECT d.i,
             ARRAY(SELECT m.account_id FROM room_member m
                    WHERE m.room_id = d.room_id AND presence_hidden(d.account_id, m.account_id)) AS hidden_from
        FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS d (room_id, account_id, i)
       CROSS JOIN LATERAL (SELECT * FROM room r WHERE r.room_id = d.room_id LIMIT 1) r
       CROSS JOIN LATERAL (SELECT * FROM account a WHERE a.account_id = d.account_id LIMIT 1) a
       WHERE has_receipts(r.member_count) AND a.presence_visible_to <> 'nobody'\
      """;

  private static final String REJECT =
      "SELECT i.epoch, reject_envelope($1, $2, $3, $4) AS rejected FROM instance i";

  private final Database database;

  QueueStore(Database database) {
    this.database = database;
  }

  /// @param version of the devices of the account, where one of them that was dormant is back now;
  ///     else null
  record OpenedQueue(Opened opened, @Nullable Long version) {}

  /// Devices without keys are left out; those that were away are back.
  Future<Map<Caller, OpenedQueue>> open(List<Caller> devices) {
    return find(devices)
        .compose(
            rows -> {
              List<Row> away = rows.stream().filter(row -> row.getBoolean("away")).toList();
              return away.isEmpty()
                  ? Future.succeededFuture(opened(devices, rows, Map.of()))
                  : back(away)
                      .compose(
                          versions -> find(devices).map(now -> opened(devices, now, versions)));
            });
  }

  private Future<RowSet<Row>> find(List<Caller> devices) {
    return database
        .client()
        .preparedQuery(OPEN)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(longs(devices, device -> device.account().value()))
                .addArrayOfString(
                    devices.stream().map(d -> d.device().value()).toArray(String[]::new)))
        .onSuccess(database.epochs()::sawIn);
  }

  /// Answers the new versions of the lists of accounts.
  private Future<Map<Long, Long>> back(List<Row> away) {
    Long[] registrations =
        away.stream().map(row -> row.getLong("registration_id")).toArray(Long[]::new);
    return database
        .change(RETURN, Tuple.tuple().addArrayOfLong(registrations), Future::succeededFuture)
        .map(
            rows -> {
              Map<Long, Long> versions = new HashMap<>();
              rows.forEach(row -> versions.put(row.getLong("account_id"), row.getLong("version")));
              return versions;
            });
  }

  private static Map<Caller, OpenedQueue> opened(
      List<Caller> devices, RowSet<Row> rows, Map<Long, Long> versions) {
    Map<Caller, OpenedQueue> opened = new HashMap<>();
    for (Row row : rows) {
      Caller device = devices.get(row.getLong("place").intValue() - 1);
      Long version = versions.get(device.account().value());
      opened.put(device, new OpenedQueue(opened(row), version));
    }
    return opened;
  }

  private static Opened opened(Row row) {
    return new Opened(
        new Epoch(row.getLong("epoch")),
        new RegistrationId(row.getLong("registration_id")),
        new QueueSeq(row.getLong("gone_seq")),
        new QueueSeq(row.getLong("last_seq")),
        row.getLong("one_time_keys"),
        row.getBoolean("fallback_used"),
        Stream.of(row.getArrayOfLongs("rooms")).map(RoomId::new).toList());
  }

  /// A place in a queue from which it is read.
  record From(RegistrationId registration, QueueSeq after) {}

  /// @param stops whether it ends before something that is due and was not ended yet
  record Page(QueuePage page, boolean stops) {}

  /// Queues that ended are left out.
  ///
  /// @param mostBytes of an answer; one more envelope may go beyond
  Future<Map<From, Page>> read(List<From> places, int most, long mostBytes) {
    return database
        .client()
        .preparedQuery(READ)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(longs(places, place -> place.registration().value()))
                .addArrayOfLong(longs(places, place -> place.after().value()))
                .addLong((long) most)
                .addLong(mostBytes))
        .onSuccess(database.epochs()::sawIn)
        .map(rows -> pages(places, rows));
  }

  private static Map<From, Page> pages(List<From> places, RowSet<Row> rows) {
    Map<From, Page> pages = new HashMap<>();
    Map<Long, byte[]> tails = new HashMap<>();
    for (Row row : rows) {
      if (row.getLong("last_seq") == null) {
        continue;
      }
      From place = places.get(row.getLong("i").intValue() - 1);
      Page page = pages.computeIfAbsent(place, _ -> emptyPage(row));
      if (row.getLong("seq") == null) {
        continue;
      }
      if (row.getBoolean("due")) {
        pages.put(place, new Page(page.page(), true));
      } else {
        page.page().envelopes().add(waiting(row, tails));
      }
    }
    return pages;
  }

  private static Page emptyPage(Row row) {
    return new Page(
        new QueuePage(
            new Epoch(row.getLong("epoch")),
            new QueueSeq(row.getLong("gone_seq")),
            new QueueSeq(row.getLong("last_seq")),
            new ArrayList<>()),
        false);
  }

  private static Waiting waiting(Row row, Map<Long, byte[]> tails) {
    QueueSeq seq = new QueueSeq(row.getLong("seq"));
    Epoch epoch = new Epoch(row.getLong("epoch"));
    Long payload = row.getLong("payload_id");
    return payload == null
        ? new Waiting(seq, EnvelopeFrames.gone(seq, epoch), Waiting.nothing())
        : new Waiting(
            seq,
            EnvelopeFrames.head(seq, row.getString("body")),
            tails.computeIfAbsent(payload, _ -> EnvelopeFrames.tail(envelope(row), epoch)));
  }

  private static Envelope envelope(Row row) {
    Long room = row.getLong("room_id");
    Long seq = row.getLong("room_seq");
    return new Envelope(
        room == null ? null : new RoomId(room),
        seq == null ? null : new Seq(seq),
        new AccountId(row.getLong("sender_id")),
        new DeviceId(row.getString("sender_device_id")),
        new ClientId(row.getString("client_id")),
        row.getLong("ms"),
        row.getString("payload"),
        row.getLong("expires_ms"));
  }

  /// A run of messages of a room that a device acknowledged now.
  record Run(AccountId account, RoomId room, Seq from, Seq to) {}

  /// What a device acknowledges: all up to a number of an epoch.
  record Ack(QueueSeq upTo, Epoch epoch) {
    Ack later(Ack other) {
      if (epoch.equals(other.epoch)) {
        return upTo.isAfter(other.upTo) ? this : other;
      }
      return epoch.isAfter(other.epoch) ? this : other;
    }
  }

  /// @param epoch of the database; nothing of another one is acknowledged
  /// @param gone up to where each queue is acknowledged; one that ended is left out
  /// @param busy queues that somebody else has locked, of which nothing is acknowledged
  record Acked(
      Epoch epoch, Map<RegistrationId, QueueSeq> gone, Set<RegistrationId> busy, Set<Run> runs) {}

  /// Acknowledges up to these, in one transaction.
  ///
  /// @param waits whether it waits for queues that somebody else has locked
  Future<Acked> ack(SortedMap<RegistrationId, Ack> acks, boolean waits) {
    List<Ack> values = List.copyOf(acks.values());
    return database
        .change(
            ACK,
            Tuple.tuple()
                .addArrayOfLong(longs(List.copyOf(acks.keySet()), RegistrationId::value))
                .addArrayOfLong(longs(values, ack -> ack.upTo().value()))
                .addArrayOfLong(longs(values, ack -> ack.epoch().value()))
                .addBoolean(waits),
            Future::succeededFuture)
        .onSuccess(database.epochs()::sawIn)
        .map(rows -> acked(rows, values.getFirst().epoch()));
  }

  /// @param epoch where no row says it
  private static Acked acked(RowSet<Row> rows, Epoch epoch) {
    Epoch now = epoch;
    Map<RegistrationId, QueueSeq> gone = new HashMap<>();
    Set<RegistrationId> busy = new HashSet<>();
    Set<Run> runs = new HashSet<>();
    for (Row row : rows) {
      now = new Epoch(row.getLong("epoch"));
      RegistrationId registration = new RegistrationId(row.getLong("registration_id"));
      if (row.getBoolean("busy")) {
        busy.add(registration);
        continue;
      }
      gone.put(registration, new QueueSeq(row.getLong("gone_seq")));
      Long room = row.getLong("room_id");
      if (room != null) {
        runs.add(
            new Run(
                new AccountId(row.getLong("account_id")),
                new RoomId(room),
                new Seq(row.getLong("from_seq")),
                new Seq(row.getLong("to_seq"))));
      }
    }
    return new Acked(now, gone, busy, runs);
  }

  /// From whom each run is to be hidden; those that nobody is told are left out.
  Future<Map<Run, Set<AccountId>>> audience(List<Run> runs) {
    return database
        .client()
        .preparedQuery(AUDIENCE)
        .execute(
            Tuple.tuple()
                .addArrayOfLong(longs(runs, run -> run.room().value()))
                .addArrayOfLong(longs(runs, run -> run.account().value())))
        .map(
            rows -> {
              Map<Run, Set<AccountId>> audience = new HashMap<>();
              for (Row row : rows) {
                Set<AccountId> hidden = new HashSet<>();
                for (Long account : row.getArrayOfLongs("hidden_from")) {
                  hidden.add(new AccountId(account));
                }
                audience.put(runs.get(row.getLong("i").intValue() - 1), hidden);
              }
              return audience;
            });
  }

  /// Answers whether the queue had such an envelope. Refusal: `unavailable` in another epoch.
  Future<Boolean> reject(RejectEnvelope command) {
    return database
        .change(
            REJECT,
            Tuple.of(
                command.registration().value(),
                command.seq().value(),
                command.reason(),
                command.epoch().value()),
            Future::succeededFuture)
        .onSuccess(database.epochs()::sawIn)
        .map(
            rows -> {
              Boolean rejected = rows.iterator().next().getBoolean("rejected");
              if (rejected == null) {
                throw Refusal.unavailable("the number is of another epoch");
              }
              return rejected;
            });
  }

  private static <T> Long[] longs(List<T> items, Function<T, Long> value) {
    return items.stream().map(value).toArray(Long[]::new);
  }
}
