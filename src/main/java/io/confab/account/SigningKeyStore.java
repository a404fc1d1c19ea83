package io.confab.account;

import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Keys of access tokens in PostgreSQL: table `signing_key`.
public final class SigningKeyStore {
  private final Database database;

  public SigningKeyStore(Database database) {
    this.database = database;
  }

  /// All keys by their id, which grows.
  Future<SortedMap<Integer, byte[]>> readAll() {
    return database
        .client()
        .query("SELECT key_id, secret FROM signing_key")
        .execute()
        .map(
            rows -> {
              SortedMap<Integer, byte[]> keys = new TreeMap<>();
              rows.forEach(
                  row -> keys.put(row.getInteger("key_id"), row.getBuffer("secret").getBytes()));
              return keys;
            });
  }

  /// Adds a key after the newest, which signs from now on, and answers its id; nothing when
  /// another node did so at the same moment.
  Future<Optional<Integer>> add(byte[] secret) {
    return keyId(
        """
        INSERT INTO signing_key (key_id, secret)
        SELECT coalesce(max(key_id), 0) + 1, $1 FROM signing_key
        ON CONFLICT DO NOTHING RETURNING key_id
        """,
        Tuple.of(Buffer.buffer(secret)));
  }

  /// As [#add], if there are keys and the newest is older than that.
  Future<Optional<Integer>> addAfter(Duration age, byte[] secret) {
    return keyId(
        """
        INSERT INTO signing_key (key_id, secret)
        SELECT max(key_id) + 1, $1 FROM signing_key
        HAVING max(created_at) < now() - $2::bigint * interval '1 ms'
        ON CONFLICT DO NOTHING RETURNING key_id
        """,
        Tuple.of(Buffer.buffer(secret), age.toMillis()));
  }

  private Future<Optional<Integer>> keyId(String statement, Tuple parameters) {
    return database
        .client()
        .preparedQuery(statement)
        .mapping(row -> row.getInteger("key_id"))
        .execute(parameters)
        .map(rows -> rows.stream().findFirst());
  }

  /// Deletes the keys that have had a successor for longer than that.
  Future<Void> deleteSucceeded(Duration ago) {
    return database
        .client()
        .preparedQuery(
            """
            DELETE FROM signing_key old WHERE EXISTS (
              SELECT FROM signing_key newer
              WHERE newer.key_id > old.key_id
                AND newer.created_at < now() - $1::bigint * interval '1 ms')
            """)
        .execute(Tuple.of(ago.toMillis()))
        .mapEmpty();
  }

  /// Adds a key unless there is one with that id: of several nodes one wins.
  Future<Void> insert(int keyId, byte[] secret) {
    return database
        .client()
        .preparedQuery(
            "INSERT INTO signing_key (key_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .execute(Tuple.of(keyId, Buffer.buffer(secret)))
        .mapEmpty();
  }
}
