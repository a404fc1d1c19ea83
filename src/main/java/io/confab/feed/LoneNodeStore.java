package io.confab.feed;

import io.confab.feed.Digest.Origin;
import io.confab.postgres.Database;
import io.confab.protocol.NodeId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/// The nodes that may be heard by no other: table `lone_node`.
public final class LoneNodeStore {
  private final Database database;

  public LoneNodeStore(Database database) {
    this.database = database;
  }

  /// Says that a node may be heard by no other; good for 5 s.
  Future<Void> write(Origin node) {
    return database
        .client()
        .preparedQuery(
            """
            WITH forgotten AS (DELETE FROM lone_node WHERE seen_at < now() - interval '1 h')
            INSERT INTO lone_node (nonce, node, seen_at) VALUES ($1, $2, clock_timestamp())
            ON CONFLICT (nonce) DO UPDATE SET seen_at = EXCLUDED.seen_at
            """)
        .execute(Tuple.of(node.nonce(), node.node().value()))
        .mapEmpty();
  }

  Future<List<Origin>> read() {
    return database
        .client()
        .preparedQuery(
            """
            SELECT node, nonce FROM lone_node WHERE seen_at > clock_timestamp() - interval '5 s'
            """)
        .mapping(LoneNodeStore::origin)
        .execute()
        .map(rows -> rows.stream().toList());
  }

  private static Origin origin(Row row) {
    return new Origin(new NodeId(row.getString("node")), row.getLong("nonce"));
  }
}
