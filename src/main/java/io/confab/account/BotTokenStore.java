package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Tokens of bots in PostgreSQL: table `bot_token`.
public final class BotTokenStore {
  private final Database database;

  public BotTokenStore(Database database) {
    this.database = database;
  }

  Future<Void> insert(SqlClient transaction, OpaqueToken token, Authenticated signIn) {
    return transaction
        .preparedQuery(
            """
            INSERT INTO bot_token (token_hash, account_id, device_id, family_id)
            VALUES ($1, $2, $3, $4)
            """)
        .execute(
            Tuple.of(
                Buffer.buffer(token.hash()),
                signIn.caller().account().value(),
                signIn.caller().device().value(),
                signIn.family().value()))
        .mapEmpty();
  }

  /// The sign-ins of these tokens, without unknown tokens; one statement for all.
  public Future<Map<Secret, Authenticated>> find(List<Secret> tokens) {
    Map<Buffer, Secret> byHash = new HashMap<>();
    tokens.forEach(token -> byHash.put(Buffer.buffer(new OpaqueToken(token).hash()), token));
    return database
        .client()
        .preparedQuery(
            """
            SELECT token_hash, account_id, device_id, family_id
            FROM bot_token WHERE token_hash = ANY ($1)
            """)
        .execute(Tuple.tuple().addArrayOfBuffer(byHash.keySet().toArray(Buffer[]::new)))
        .map(
            rows -> {
              Map<Secret, Authenticated> found = new HashMap<>();
              rows.stream()
                  .forEach(
                      row ->
                          found.put(
                              byHash.get(row.getBuffer("token_hash")),
                              signIn(
                                  row.getLong("account_id"),
                                  row.getString("device_id"),
                                  row.getUUID("family_id"))));
              return found;
            });
  }

  private static Authenticated signIn(long account, String device, UUID family) {
    return new Authenticated(
        new Caller(new AccountId(account), new DeviceId(device)), new FamilyId(family));
  }
}
