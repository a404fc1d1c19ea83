package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Approached;
import io.confab.account.AccountCommand.Me;
import io.confab.account.AccountCommand.MeChange;
import io.confab.account.AccountCommand.MeView;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Refusal;
import io.confab.protocol.VisibleTo;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Accounts and their passwords in PostgreSQL: tables `account` and `credential`.
public final class AccountStore {
  private static final String COLUMNS = "account_id, handle, display_name";

  /// The hash does not even leave the database.
  private static final String SALT =
      "SELECT regexp_replace(password_hash, '[$][^$]*$', '') AS salt ";

  private static final String IS_PROVEN =
      "encode(sha256(convert_to(password_hash, 'UTF8')), 'hex') = $2";

  private final Database database;

  public AccountStore(Database database) {
    this.database = database;
  }

  /// An account to add.
  record NewRow(Account account, ServerRole role, @Nullable HashedPassword password) {
    private @Nullable String passwordHash() {
      return password == null ? null : password.phc();
    }
  }

  /// Adds accounts and returns the ids of those it added; accounts whose handle is taken are
  /// left out. One statement for all.
  Future<Set<AccountId>> insert(List<NewRow> rows) {
    return database
        .client()
        .preparedQuery(
            """
            WITH asked AS (
              SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
                AS a (account_id, handle, display_name, role, password_hash)),
            added AS (
              INSERT INTO account (account_id, handle, display_name, role)
              SELECT account_id, handle, display_name, role FROM asked ORDER BY handle
              ON CONFLICT (handle) DO NOTHING RETURNING account_id),
            secured AS (
              INSERT INTO credential (account_id, password_hash)
              SELECT account_id, password_hash FROM asked JOIN added USING (account_id)
              WHERE password_hash IS NOT NULL)
            SELECT account_id FROM added
            """)
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(
            Tuple.tuple()
                .addArrayOfLong(
                    rows.stream().map(r -> r.account().accountId().value()).toArray(Long[]::new))
                .addArrayOfString(texts(rows, r -> r.account().handle()))
                .addArrayOfString(texts(rows, r -> r.account().displayName()))
                .addArrayOfString(texts(rows, r -> r.role().wire()))
                .addArrayOfString(texts(rows, NewRow::passwordHash)))
        .map(added -> added.stream().collect(Collectors.toSet()));
  }

  private static String[] texts(List<NewRow> rows, Function<NewRow, @Nullable String> text) {
    String[] texts = new String[rows.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = text.apply(rows.get(i));
    }
    return texts;
  }

  Future<Optional<Account>> findByHandle(String handle) {
    return database
        .client()
        .preparedQuery(
            "SELECT " + COLUMNS + " FROM account WHERE handle = $1 AND removed_at IS NULL")
        .mapping(AccountStore::account)
        .execute(Tuple.of(handle))
        .map(rows -> rows.stream().findFirst());
  }

  /// The account with this handle, also when it was removed.
  Future<Optional<Account>> findEver(String handle) {
    return database
        .client()
        .preparedQuery("SELECT " + COLUMNS + " FROM account WHERE handle = $1")
        .mapping(AccountStore::account)
        .execute(Tuple.of(handle))
        .map(rows -> rows.stream().findFirst());
  }

  public Future<List<Account>> findByIds(List<AccountId> ids) {
    Long[] values = ids.stream().map(AccountId::value).toArray(Long[]::new);
    return database
        .client()
        .preparedQuery("SELECT " + COLUMNS + " FROM account WHERE account_id = ANY ($1)")
        .mapping(AccountStore::account)
        .execute(Tuple.tuple().addArrayOfLong(values))
        .map(rows -> rows.stream().toList());
  }

  /// The salt of the password that belongs to a handle, and whether the account knows the address
  /// and the refresh token; one statement, whatever there is.
  Future<Optional<Approached>> approach(String handle, byte[] seenFrom, byte[] tokenHash) {
    return database
        .client()
        .preparedQuery(
            SALT
                + """
                , EXISTS (SELECT FROM device d
                    WHERE d.account_id = a.account_id AND seen_from = $2) AS from_known,
                  (SELECT device_id FROM refresh_token t
                    WHERE t.account_id = a.account_id AND token_hash = $3) AS device_id
                FROM account a JOIN credential USING (account_id) WHERE handle = $1
                """)
        .mapping(
            row -> {
              String device = row.getString("device_id");
              return new Approached(
                  new PasswordSalt(row.getString("salt")),
                  device == null ? null : new DeviceId(device),
                  row.getBoolean("from_known"));
            })
        .execute(Tuple.of(handle, Buffer.buffer(seenFrom), Buffer.buffer(tokenHash)))
        .map(rows -> rows.stream().findFirst());
  }

  Future<Optional<PasswordSalt>> findSalt(AccountId account) {
    return database
        .client()
        .preparedQuery(SALT + "FROM credential WHERE account_id = $1")
        .mapping(row -> new PasswordSalt(row.getString("salt")))
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.stream().findFirst());
  }

  /// The account with this handle and this password, which cannot change before the transaction
  /// ends.
  Future<Optional<AccountId>> holdPassword(
      SqlClient transaction, String handle, PasswordProof password) {
    return transaction
        .preparedQuery(
            """
            SELECT account_id FROM account JOIN credential USING (account_id)
            WHERE handle = $1 AND
            """
                + IS_PROVEN
                + " FOR SHARE OF credential")
        .mapping(row -> new AccountId(row.getLong("account_id")))
        .execute(Tuple.of(handle, password.sha256()))
        .map(rows -> rows.stream().findFirst());
  }

  /// Puts another password in the place of this one; false when it is another one already.
  Future<Boolean> replacePassword(
      SqlClient transaction, AccountId account, PasswordProof old, HashedPassword fresh) {
    return transaction
        .preparedQuery(
            "UPDATE credential SET password_hash = $3 WHERE account_id = $1 AND " + IS_PROVEN)
        .execute(Tuple.of(account.value(), old.sha256(), fresh.phc()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// Deletes this password; false when it is another one.
  Future<Boolean> deletePassword(SqlClient transaction, AccountId account, PasswordProof password) {
    return transaction
        .preparedQuery("DELETE FROM credential WHERE account_id = $1 AND " + IS_PROVEN)
        .execute(Tuple.of(account.value(), password.sha256()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// @param renamed whether it had another name before
  record Changed(MeView me, boolean renamed) {}

  /// Changes what is given. Refusals: `not_found`, `precondition_failed`.
  ///
  /// @param seen one of which the account must have; null: whatever it has
  Future<Changed> change(
      SqlClient transaction, AccountId account, MeChange change, @Nullable List<EntityTag> seen) {
    return transaction
        .preparedQuery(
            """
            WITH before AS (
              SELECT account_id, display_name,
                     $7::text[] IS NULL OR account_tag(account) = ANY ($7) AS matches
                FROM account WHERE account_id = $1 AND removed_at IS NULL FOR NO KEY UPDATE),
            changed AS (
              UPDATE account a
                 SET display_name = coalesce($2, a.display_name),
                     invites_from = coalesce($3, a.invites_from),
                     presence_visible_to = coalesce($4, a.presence_visible_to),
                     last_seen_visible_to = coalesce($5, a.last_seen_visible_to),
                     private_reading = coalesce($6, a.private_reading)
                FROM before WHERE a.account_id = before.account_id AND before.matches
              RETURNING a.account_id, a.handle, a.display_name, a.invites_from,
                        a.presence_visible_to, a.last_seen_visible_to, a.private_reading,
                        account_tag(a) AS tag)
            SELECT changed.*, changed.display_name <> before.display_name AS renamed
              FROM before LEFT JOIN changed USING (account_id)
            """)
        .execute(
            Tuple.of(
                account.value(),
                change.displayName(),
                wire(change.invitesFrom()),
                wire(change.presenceVisibleTo()),
                wire(change.lastSeenVisibleTo()),
                change.privateReading(),
                EntityTag.values(seen)))
        .map(rows -> rows.stream().findFirst().orElseThrow(AccountRules::noSuchAccount))
        .map(AccountStore::changed);
  }

  private static @Nullable String wire(@Nullable WireName name) {
    return name == null ? null : name.wire();
  }

  private static Changed changed(Row row) {
    if (row.getLong("account_id") == null) {
      throw Refusal.changed();
    }
    return new Changed(me(row), row.getBoolean("renamed"));
  }

  /// The account as it sees itself.
  Future<Optional<MeView>> read(AccountId account) {
    return database
        .client()
        .preparedQuery(
            "SELECT "
                + COLUMNS
                + ", invites_from, presence_visible_to, last_seen_visible_to, private_reading,"
                + " account_tag(account) AS tag FROM account WHERE account_id = $1")
        .mapping(AccountStore::me)
        .execute(Tuple.of(account.value()))
        .map(rows -> rows.stream().findFirst());
  }

  private static MeView me(Row row) {
    return new MeView(
        new Me(
            new AccountId(row.getLong("account_id")),
            row.getString("handle"),
            row.getString("display_name"),
            WireName.of(InvitesFrom.class, row.getString("invites_from")),
            WireName.of(VisibleTo.class, row.getString("presence_visible_to")),
            WireName.of(VisibleTo.class, row.getString("last_seen_visible_to")),
            row.getBoolean("private_reading")),
        new EntityTag(row.getString("tag")));
  }

  /// False for a bot.
  Future<Boolean> setPassword(SqlClient transaction, AccountId account, HashedPassword password) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO credential (account_id, password_hash)
            SELECT account_id, $2 FROM account WHERE account_id = $1 AND role <> 'bot'
            ON CONFLICT (account_id) DO UPDATE SET password_hash = EXCLUDED.password_hash
            """)
        .execute(Tuple.of(account.value(), password.phc()))
        .map(rows -> rows.rowCount() == 1);
  }

  /// False when there is no such account, or it is that of a bot.
  Future<Boolean> setRole(String handle, ServerRole role) {
    return database
        .client()
        .preparedQuery(
            """
            UPDATE account SET role = $2
            WHERE handle = $1 AND removed_at IS NULL AND role <> 'bot'
            """)
        .execute(Tuple.of(handle, role.wire()))
        .map(rows -> rows.rowCount() == 1);
  }

  private static Account account(Row row) {
    return new Account(
        new AccountId(row.getLong("account_id")),
        row.getString("handle"),
        row.getString("display_name"));
  }
}
