package io.confab.account;

import io.confab.postgres.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
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
