package io.confab.key;

import io.confab.config.Config;
import io.confab.key.KeyCommand.AccountKeys;
import io.confab.key.KeyCommand.ChangeIdentity;
import io.confab.key.KeyCommand.ClaimKeys;
import io.confab.key.KeyCommand.ClaimedKey;
import io.confab.key.KeyCommand.DeviceKey;
import io.confab.key.KeyCommand.DeviceName;
import io.confab.key.KeyCommand.KeyUpload;
import io.confab.key.KeyCommand.KnownDevice;
import io.confab.key.KeyCommand.KnownKeys;
import io.confab.key.KeyCommand.UploadKeys;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Opaque;
import io.confab.protocol.Suite;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Keys of devices in PostgreSQL: tables `device_key`, `one_time_key`, `account_identity`, `vault`
/// and what goes with them.
public final class KeyStore {
  private static final String CLAIM = "SELECT * FROM claim_keys($1, $2, $3, $4)";

  /// Identities in one answer, in bytes; one account is answered whatever it takes.
  private static final int ANSWER_BYTES = 1 << 19;

  /// How long a key that was handed out is known as such, so that an upload of it which is repeated
  /// brings it back to nobody.
  private static final Duration SPENT = Duration.ofDays(60);

  private static final String QUERY =
      """
      WITH seen AS MATERIALIZED (
        SELECT a.account_id, a.place FROM unnest($2::bigint[]) WITH ORDINALITY AS a (account_id, place)
         WHERE a.account_id IN (SELECT can_see_keys($1, $2))),
      sized AS MATERIALIZED (
        SELECT s.account_id, s.place, coalesce(octet_length(i.identity), 0) + coalesce(k.bytes, 0) AS bytes
          FROM seen s
          LEFT JOIN LATERAL (SELECT i.identity FROM account_identity i
                              WHERE i.account_id = s.account_id LIMIT 1) i ON true
          CROSS JOIN LATERAL (SELECT sum(octet_length(k.identity)) AS bytes FROM device_key k
                               WHERE k.account_id = s.account_id AND k.removed_at IS NULL) k),
      fitting AS MATERIALIZED (
        SELECT z.account_id, z.place, sum(z.bytes) OVER (ORDER BY z.place) - z.bytes = 0
                 OR sum(z.bytes) OVER (ORDER BY z.place) <= $3 AS fits
          FROM sized z)
      SELECT f.account_id, f.fits, i.version, i.identity AS own_identity,
             k.device_id, k.registration_id, k.suite, k.identity
        FROM fitting f
        LEFT JOIN LATERAL (SELECT * FROM account_identity i
                            WHERE f.fits AND i.account_id = f.account_id LIMIT 1) i ON true
        LEFT JOIN LATERAL (SELECT k.* FROM device_key k
                            CROSS JOIN LATERAL (SELECT FROM device_queue q
                                                 WHERE q.registration_id = k.registration_id AND NOT q.dormant LIMIT 1) q
                            WHERE f.fits AND k.account_id = f.account_id AND k.removed_at IS NULL
                            OFFSET 0) k ON true
       ORDER BY f.place, k.registration_id
      """;

  private static final String FEW_LEFT =
      """
      SELECT k.account_id, k.device_id, n.keys
        FROM unnest($1::bigint[]) AS r (registration_id)
       CROSS JOIN LATERAL (SELECT * FROM device_key k
                            WHERE k.registration_id = r.registration_id AND k.removed_at IS NULL LIMIT 1) k
       CROSS JOIN LATERAL (SELECT count(*) AS keys
                             FROM (SELECT FROM one_time_key o
                                    WHERE o.registration_id = r.registration_id LIMIT $2) o) n
       WHERE n.keys < $2
      """;

  private final Database database;
  private final Config.Keys bounds;

  public KeyStore(Database database, Config.Keys bounds) {
    this.database = database;
    this.bounds = bounds;
  }

  /// What became of an upload.
  ///
  /// @param outcome of `upload_keys`
  /// @param at of the key that it is about
  /// @param version of the account's devices, if this one is new among them
  record Stored(
      String outcome, int at, long registration, long oneTimeKeys, @Nullable Long version) {}

  Future<Stored> upload(SqlClient transaction, UploadKeys command) {
    Caller caller = command.caller();
    KeyUpload keys = command.keys();
    DeviceKey fallback = keys.fallback();
    return transaction
        .preparedQuery("SELECT * FROM upload_keys($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
        .mapping(KeyStore::stored)
        .execute(
            Tuple.of(caller.account().value(), caller.device().value())
                .addString(keys.suite().wire())
                .addString(text(keys.identity()))
                .addString(fallback == null ? null : fallback.id())
                .addString(fallback == null ? null : fallback.key().value())
                .addArrayOfString(texts(keys.oneTimeKeys(), DeviceKey::id))
                .addArrayOfString(texts(keys.oneTimeKeys(), key -> key.key().value()))
                .addLong((long) bounds.devices())
                .addLong((long) bounds.oneTimeKeys())
                .addLong(database.epoch().current().value()))
        .map(rows -> rows.iterator().next());
  }

  private static Stored stored(Row row) {
    return new Stored(
        row.getString("outcome"),
        row.getLong("at_") == null ? 0 : row.getLong("at_").intValue(),
        row.getLong("registration_") == null ? 0 : row.getLong("registration_"),
        row.getLong("left_") == null ? 0 : row.getLong("left_"),
        row.getLong("version_"));
  }

  /// What became of a change of identities.
  ///
  /// @param missing the place of the first device that has no keys; null: all have
  /// @param version null: there is no such account
  record Signed(@Nullable Integer missing, @Nullable Long version, boolean changed) {}

  Future<Signed> sign(SqlClient transaction, ChangeIdentity command) {
    return transaction
        .preparedQuery("SELECT * FROM sign_keys($1, $2, $3, $4)")
        .mapping(
            row ->
                new Signed(
                    row.getLong("at_") == null ? null : row.getLong("at_").intValue(),
                    row.getLong("version_"),
                    Boolean.TRUE.equals(row.getBoolean("changed_"))))
        .execute(
            Tuple.of(command.caller().value())
                .addString(text(command.identity()))
                .addArrayOfString(texts(command.devices(), d -> d.device().value()))
                .addArrayOfString(texts(command.devices(), d -> d.identity().value())))
        .map(rows -> rows.iterator().next());
  }

  Future<Optional<Opaque>> vault(AccountId account) {
    return database
        .client()
        .preparedQuery("SELECT vault FROM vault WHERE account_id = $1")
        .mapping(row -> new Opaque(row.getString("vault")))
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.stream().findFirst());
  }

  /// Answers whether the account is there.
  Future<Boolean> keep(SqlClient transaction, AccountId account, Opaque vault) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO vault (account_id, vault)
              SELECT account_id, $2 FROM account WHERE account_id = $1 AND removed_at IS NULL FOR SHARE
            ON CONFLICT (account_id) DO UPDATE SET vault = excluded.vault
            """)
        .execute(Tuple.of(account.value(), vault.value()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// The keys of those of these accounts that the viewer may see, as many as fit in an answer.
  Future<KnownKeys> find(AccountId viewer, List<AccountId> accounts) {
    return database
        .client()
        .preparedQuery(QUERY)
        .execute(
            Tuple.of(viewer.value())
                .addArrayOfLong(accounts.stream().map(AccountId::value).toArray(Long[]::new))
                .addLong((long) ANSWER_BYTES))
        .map(KeyStore::known);
  }

  private static KnownKeys known(RowSet<Row> rows) {
    Map<AccountId, AccountKeys> known = new LinkedHashMap<>();
    List<AccountId> rest = new ArrayList<>();
    for (Row row : rows) {
      AccountId account = new AccountId(row.getLong("account_id"));
      if (!row.getBoolean("fits")) {
        rest.add(account);
        continue;
      }
      AccountKeys keys =
          known.computeIfAbsent(
              account,
              _ ->
                  new AccountKeys(
                      account,
                      row.getLong("version") == null ? 0 : row.getLong("version"),
                      opaque(row, "own_identity"),
                      new ArrayList<>()));
      if (row.getLong("registration_id") != null) {
        keys.devices().add(device(row));
      }
    }
    return new KnownKeys(List.copyOf(known.values()), rest.isEmpty() ? null : rest);
  }

  private static KnownDevice device(Row row) {
    return new KnownDevice(
        new DeviceId(row.getString("device_id")),
        row.getLong("registration_id"),
        WireName.of(Suite.class, row.getString("suite")),
        new Opaque(row.getString("identity")));
  }

  /// A device of which a key was claimed.
  record Claim(long registration, ClaimedKey key, ClaimOutcome outcome) {}

  /// Takes a key of each device, in one statement.
  Future<List<Claim>> claim(ClaimKeys command) {
    List<DeviceName> devices = command.devices();
    return database
        .change(
            CLAIM,
            Tuple.of(command.caller().value())
                .addArrayOfLong(devices.stream().map(d -> d.account().value()).toArray(Long[]::new))
                .addArrayOfString(texts(devices, d -> d.device().value()))
                .addLong((long) bounds.claimsPerDay()),
            Future::succeededFuture) // whatever was taken is lost, and nobody has to hear of it
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .map(row -> claim(row, devices))
                    .toList());
  }

  private static Claim claim(Row row, List<DeviceName> devices) {
    DeviceName of = devices.get(row.getLong("place_").intValue() - 1);
    boolean limited = row.getBoolean("limited_");
    boolean fallback = row.getBoolean("fallback_");
    Opaque key = opaque(row, "key_");
    ClaimOutcome outcome =
        limited
            ? ClaimOutcome.LIMITED
            : key == null
                ? ClaimOutcome.NONE
                : fallback ? ClaimOutcome.FALLBACK : ClaimOutcome.ONE_TIME;
    return new Claim(
        row.getLong("registration_"),
        new ClaimedKey(
            of.account(),
            of.device(),
            row.getString("key_id_"),
            key,
            fallback ? true : null,
            limited ? ErrorCode.RATE_LIMITED : null),
        outcome);
  }

  /// A device with few one-time keys.
  record Low(Caller device, long oneTimeKeys) {}

  /// Which of these registrations have few one-time keys left.
  Future<List<Low>> low(List<Long> registrations) {
    return database
        .client()
        .preparedQuery(FEW_LEFT)
        .mapping(
            row ->
                new Low(
                    new Caller(
                        new AccountId(row.getLong("account_id")),
                        new DeviceId(row.getString("device_id"))),
                    row.getLong("keys")))
        .execute(
            Tuple.tuple()
                .addArrayOfLong(registrations.toArray(Long[]::new))
                .addLong((long) bounds.low()))
        .map(rows -> rows.stream().toList());
  }

  /// Forgets keys that were handed out long ago; answers how many.
  static Future<Integer> forgetSpent(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM spent_key WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM spent_key WHERE spent_at <= now() - $1::bigint * interval '1 ms'
              ORDER BY spent_at LIMIT $2 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(SPENT.toMillis(), most))
        .map(SqlResult::rowCount);
  }

  /// Forgets who claimed keys more than a day ago; answers how many.
  static Future<Integer> forgetClaims(SqlClient transaction, int most) {
    return transaction
        .preparedQuery(
            """
            DELETE FROM key_claim WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM key_claim WHERE since <= now() - interval '1 day'
              ORDER BY since LIMIT $1 FOR UPDATE SKIP LOCKED))
            """)
        .execute(Tuple.of(most))
        .map(SqlResult::rowCount);
  }

  private static @Nullable Opaque opaque(Row row, String column) {
    String text = row.getString(column);
    return text == null ? null : new Opaque(text);
  }

  private static @Nullable String text(@Nullable Opaque opaque) {
    return opaque == null ? null : opaque.value();
  }

  private static <T> String[] texts(List<T> items, Function<T, String> text) {
    return items.stream().map(text).toArray(String[]::new);
  }
}
