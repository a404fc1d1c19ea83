package io.confab.queue;

import io.confab.config.Config;
import io.confab.config.Sha256;
import io.confab.message.Chat;
import io.confab.postgres.Database;
import io.confab.postgres.WriterConnection;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.testing.Futures;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Sealed rooms, accounts and devices made by SQL, and sends for them. Device `d<n>` of account
/// `a`.
public final class SealedWorld implements AutoCloseable {
  /// A test waits for locks for longer than a machine stands still.
  static final Duration PATIENT = Duration.ofSeconds(30);

  /// What must hold of every database at rest; each entry is a query that counts offenders.
  public static final List<String> INVARIANTS =
      List.of(
          // What waits is dense from the first that was not acknowledged to the last.
          """
          SELECT count(*) FROM device_queue q WHERE q.last_seq - q.gone_seq <>
              (SELECT count(*) FROM envelope e WHERE e.registration_id = q.registration_id)
            OR EXISTS (SELECT FROM envelope e WHERE e.registration_id = q.registration_id
                         AND (e.seq <= q.gone_seq OR e.seq > q.last_seq))\
          """,
          // No envelope without its queue, nor without what it points to.
          """
          SELECT count(*) FROM envelope e
            LEFT JOIN device_queue q USING (registration_id) LEFT JOIN envelope_payload p USING (payload_id)
           WHERE q.registration_id IS NULL OR e.payload_id IS NOT NULL AND p.payload_id IS NULL
              OR e.payload_id IS NULL AND e.body IS NOT NULL\
          """,
          // Every device with keys has a queue, and no other.
          """
          SELECT count(*) FROM (SELECT * FROM device_key WHERE removed_at IS NULL) k
            FULL JOIN (SELECT * FROM device_queue WHERE NOT ended) q USING (registration_id)
           WHERE k.account_id IS DISTINCT FROM q.account_id\
          """,
          // In a queue the messages of a room stand in their order.
          """
          SELECT count(*) FROM (
            SELECT p.room_seq, lag(p.room_seq) OVER (PARTITION BY e.registration_id, p.room_id ORDER BY e.seq) AS before
              FROM envelope e JOIN envelope_payload p USING (payload_id) WHERE p.room_seq IS NOT NULL) o
           WHERE o.room_seq <= o.before\
          """,
          // Two devices get what both get in one order.
          """
          SELECT count(*) FROM (
            SELECT one.seq AS a, other.seq AS b,
                   lag(other.seq) OVER (PARTITION BY one.registration_id, other.registration_id ORDER BY one.seq) AS before
              FROM envelope one JOIN envelope other USING (payload_id)
             WHERE one.registration_id < other.registration_id) o WHERE o.b <= o.before\
          """,
          // Nothing is delivered and failed.
          """
          SELECT count(*) FROM delivery_failure f JOIN delivery_span s
            ON s.room_id = f.room_id AND s.account_id = f.account_id AND f.seq BETWEEN s.from_seq AND s.to_seq\
          """,
          // Nothing that failed is still there for a device of the account.
          """
          SELECT count(*) FROM delivery_failure f
            JOIN envelope_payload p ON p.room_id = f.room_id AND p.room_seq = f.seq
            JOIN envelope e USING (payload_id) JOIN device_queue q USING (registration_id)
           WHERE q.account_id = f.account_id\
          """,
          // Spans of a device lie behind each other.
          """
          SELECT count(*) FROM delivery_span s JOIN delivery_span o USING (room_id, account_id, registration_id)
           WHERE o.from_seq > s.from_seq AND o.from_seq <= s.to_seq OR s.to_seq < s.from_seq\
          """);

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private long rooms;

  SealedWorld(Vertx vertx) {
    this.database = new Database(vertx, postgres.nodeUrl(), TestConfig.postgres());
  }

  TestDatabase postgres() {
    return postgres;
  }

  Database database() {
    return database;
  }

  EnvelopeStore store() {
    return store(TestConfig.queues());
  }

  EnvelopeStore store(Config.Queues limits) {
    WriterConnection connection = new WriterConnection(database, PATIENT);
    Futures.get(connection.open());
    return new EnvelopeStore(connection, limits);
  }

  /// A sealed room with accounts `from` to `to`, each with so many devices, if they are new.
  long room(long from, long to, int devices) {
    long room = ++rooms;
    postgres.execute(room(room, from, to, devices));
    return room;
  }

  /// The SQL of that.
  public static String room(long room, long from, long to, int devices) {
    return """
    INSERT INTO account (account_id, handle, display_name)
      SELECT a, 'a' || a, 'A' FROM generate_series(%2$d, %3$d) a ON CONFLICT DO NOTHING;
    INSERT INTO room (room_id, type, name, member_count, encryption_suite, sealed_from_seq, sealed_from_rev)
      VALUES (%1$d, 'group', 'Room', %3$d - %2$d + 1, 'olm1', 1, 1);
    INSERT INTO room_position (room_id, sealed) VALUES (%1$d, true);
    INSERT INTO room_member (room_id, account_id, role)
      SELECT %1$d, a, 'member' FROM generate_series(%2$d, %3$d) a;
    INSERT INTO member_span (room_id, account_id, from_rev, seen_from_seq)
      SELECT %1$d, a, 0, 1 FROM generate_series(%2$d, %3$d) a;
    INSERT INTO device (account_id, device_id, name, platform, has_keys)
      SELECT a, 'd' || d, 'D', 'test', true FROM generate_series(%2$d, %3$d) a, generate_series(1, %4$d) d
      ON CONFLICT DO NOTHING;
    INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
      SELECT a, 'd' || d, 'olm1', 'i', '' FROM generate_series(%2$d, %3$d) a, generate_series(1, %4$d) d
      ON CONFLICT DO NOTHING;
    """
        .formatted(room, from, to, devices);
  }

  /// Runs SQL over connections that are kept, as a node may.
  void run(String sql) {
    Futures.get(database.client().query(sql).execute());
  }

  /// The single value that a query answers, as above.
  <T> T look(Class<T> type, String sql) {
    return Futures.get(database.client().query(sql).execute()).iterator().next().get(type, 0);
  }

  void leave(long room, long account) {
    postgres.execute(
        """
        DELETE FROM room_member WHERE room_id = %1$d AND account_id = %2$d;
        UPDATE member_span s SET to_rev = p.last_rev, seen_to_seq = p.last_seq FROM room_position p
         WHERE p.room_id = %1$d AND s.room_id = %1$d AND s.account_id = %2$d AND s.to_rev IS NULL;
        UPDATE room SET member_count = member_count - 1 WHERE room_id = %1$d;
        """
            .formatted(room, account));
  }

  void addDevice(long account, String device) {
    run(
        """
        INSERT INTO device (account_id, device_id, name, platform, has_keys)
          VALUES (%1$d, '%2$s', 'D', 'test', true);
        DELETE FROM device_key WHERE account_id = %1$d AND device_id = '%2$s';
        INSERT INTO device_key (account_id, device_id, suite, identity, identity_hash)
          VALUES (%1$d, '%2$s', 'olm1', 'i', '');
        """
            .formatted(account, device));
  }

  void removeDevice(long account, String device) {
    run("DELETE FROM device WHERE account_id = %d AND device_id = '%s'".formatted(account, device));
  }

  long registration(long account, String device) {
    return look(
        Long.class,
        "SELECT registration_id FROM device_key WHERE account_id = %d AND device_id = '%s'"
            .formatted(account, device));
  }

  /// What a client calls the devices of a room that it knows.
  String digest(long room) {
    return digestOf(registrations(room));
  }

  /// Those of the devices of a room, ascending, with commas.
  String registrations(long room) {
    return look(
        String.class,
        """
        SELECT string_agg(q.registration_id::text, ',' ORDER BY q.registration_id)
          FROM room_member m JOIN device_queue q USING (account_id)
         WHERE m.room_id = %d AND NOT q.dormant\
        """
            .formatted(room));
  }

  static String digestOf(String registrations) {
    return Sha256.hex(registrations, 8);
  }

  Sending sending(long room, long account, String device, String clientId) {
    return new Sending(room, account, device, clientId, room == 0 ? "" : digest(room));
  }

  /// A send to be completed.
  record Sending(long room, long account, String device, String clientId, String digest) {
    EnvelopeDraft saying(String payload) {
      return draft(false, null, payload);
    }

    EnvelopeDraft silently(@Nullable String payload, KeyBody... bodies) {
      return draft(true, null, payload, bodies);
    }

    EnvelopeDraft draft(
        boolean silent, @Nullable Integer expiresInS, @Nullable String payload, KeyBody... bodies) {
      return new EnvelopeDraft(
          room == 0 ? null : new RoomId(room),
          new Caller(new AccountId(account), new DeviceId(device)),
          new ClientId(clientId),
          room == 0 ? null : digest,
          silent,
          expiresInS,
          payload,
          Arrays.asList(bodies));
    }
  }

  KeyBody body(long account, String device, String text) {
    return new KeyBody(
        new AccountId(account),
        new DeviceId(device),
        new RegistrationId(registration(account, device)),
        text);
  }

  /// What a queue holds, as `seq:room_seq:body/payload`.
  String queue(long account, String device) {
    return postgres.text(
        """
        SELECT coalesce(string_agg(e.seq || ':' || coalesce(p.room_seq::text, '-') || ':'
                 || coalesce(e.body, '') || '/' || coalesce(p.payload, ''), ' ' ORDER BY e.seq), '')
          FROM envelope e LEFT JOIN envelope_payload p USING (payload_id) WHERE e.registration_id = %d\
        """
            .formatted(registration(account, device)));
  }

  /// What a room's senders read of it, as `account:seq:reason`.
  String failures(long room) {
    return postgres.text(
        """
        SELECT coalesce(string_agg(account_id || ':' || seq || ':' || reason, ' ' ORDER BY account_id, seq), '')
          FROM delivery_failure WHERE room_id = %d\
        """
            .formatted(room));
  }

  /// As `account/registration:from-to`.
  String spans(long room, long account) {
    return postgres.text(
        """
        SELECT coalesce(string_agg(from_seq || '-' || to_seq, ' ' ORDER BY registration_id, from_seq), '')
          FROM delivery_span WHERE room_id = %d AND account_id = %d\
        """
            .formatted(room, account));
  }

  void ack(long account, String device, long upTo) {
    postgres.execute(
        "SELECT ack_queues(ARRAY[%d]::bigint[], ARRAY[%d]::bigint[])"
            .formatted(registration(account, device), upTo));
  }

  void assertInvariants() {
    String offenders =
        Stream.concat(INVARIANTS.stream(), Chat.INVARIANTS.stream())
            .filter(query -> postgres.count(query) != 0)
            .collect(Collectors.joining("\n"));
    if (!offenders.isEmpty()) {
      throw new AssertionError("offenders of " + offenders);
    }
  }

  @Override
  public void close() {
    Futures.get(database.close());
    postgres.close();
  }
}
