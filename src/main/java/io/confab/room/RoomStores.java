package io.confab.room;

import io.confab.postgres.Database;

/// The stores that a change of a room goes through together.
public record RoomStores(RoomStore rooms, MemberStore members, RoomChangeStore changes) {
  public static RoomStores of(Database database) {
    return new RoomStores(
        new RoomStore(database), new MemberStore(database), new RoomChangeStore(database.epoch()));
  }
}
