package io.confab.postgres;

import io.vertx.core.Future;

/// What the database says of itself: its incarnation and the keys that all nodes share.
public record Instance(DatabaseEpoch epoch, byte[] publishKey, byte[] refreshKey) {

  /// Looks which incarnation it is, then reads the keys.
  public static Future<Instance> read(Database database) {
    return database
        .epochs()
        .look()
        .compose(
            _ -> database.client().query("SELECT publish_key, refresh_key FROM instance").execute())
        .map(
            rows -> {
              var row = rows.iterator().next();
              return new Instance(
                  database.epoch(),
                  row.getBuffer("publish_key").getBytes(),
                  row.getBuffer("refresh_key").getBytes());
            });
  }
}
