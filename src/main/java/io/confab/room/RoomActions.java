package io.confab.room;

import io.confab.feed.AnnouncedTransactions;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.random.RandomGenerator;

/// All that changes a room that exists.
public record RoomActions(
    MemberChanges members,
    RoleChanges roles,
    SettingChanges settings,
    Moderation moderation,
    Invitations invitations) {
  /// @param random a secure one
  public static RoomActions of(
      AnnouncedTransactions transactions, RoomStores stores, RandomGenerator random) {
    RoomLock lock = new RoomLock(transactions, stores);
    RoomWrites writes = new RoomWrites(stores);
    return new RoomActions(
        new MemberChanges(lock, stores, writes),
        new RoleChanges(lock, stores, writes),
        new SettingChanges(lock, writes),
        new Moderation(lock, stores, writes),
        new Invitations(lock, stores, random));
  }

  /// Ends all memberships of an account that was removed; harmless when repeated.
  public Future<Void> endMemberships(AccountId account) {
    return members.endAll(account);
  }
}
