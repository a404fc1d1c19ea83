package io.confab.room;

import io.confab.postgres.Database;

/// The stores of rooms, which read.
public record RoomStores(
    RoomStore rooms,
    MemberStore members,
    BanStore bans,
    InviteStore invites,
    InvitationStore invitations,
    AuditStore audit) {
  public static RoomStores of(Database database) {
    return new RoomStores(
        new RoomStore(database),
        new MemberStore(database),
        new BanStore(database),
        new InviteStore(database),
        new InvitationStore(database),
        new AuditStore(database));
  }
}
