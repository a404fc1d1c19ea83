package io.confab.postgres;

import io.confab.protocol.Epoch;
import io.vertx.core.Future;

/// What the database says of itself: its incarnation and the keys that all nodes share.
public record Instance(Epoch epoch, byte[] publishKey, byte[] refreshKey) {

  public static Future<Instance> read(Database database) {
    return database
        .client()
        .query("SELECT epoch, publish_key, refresh_key FROM instance")
        .execute()
        .map(
            rows -> {
              var row = rows.iterator().next();
              return new Instance(
                  new Epoch(row.getLong("epoch")),
                  row.getBuffer("publish_key").getBytes(),
                  row.getBuffer("refresh_key").getBytes());
            });
  }
}
