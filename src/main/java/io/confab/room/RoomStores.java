package io.confab.room;

import io.confab.postgres.Database;

/// The stores that a change of a room goes through together.
public record RoomStores(
    RoomStore rooms,
    MemberStore members,
    RoomChangeStore changes,
    BanStore bans,
    InviteStore invites,
    AuditStore audit) {
  public static RoomStores of(Database database) {
    return new RoomStores(
        new RoomStore(database),
        new MemberStore(database),
        new RoomChangeStore(database.epoch()),
        new BanStore(database),
        new InviteStore(database),
        new AuditStore(database));
  }
}
