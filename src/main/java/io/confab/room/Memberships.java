package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomChange.MemberRole;
import io.confab.protocol.RoomChange.Members;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.stream.Stream;

/// Begins and ends memberships of a locked room, whoever may want it. In a big room others are
/// told in numbers who comes and goes; a session whose account it is knows it all the same.
final class Memberships {
  private final RoomStores stores;

  Memberships(RoomStores stores) {
    this.stores = stores;
  }

  /// Refusals: `room_full`, `not_found` for an account that is not there.
  Future<List<NumberedChange>> begin(LockedRoom locked, AccountId member, Role role) {
    Long most = locked.room().maxMembers();
    long count = locked.room().memberCount() + 1;
    if (most != null && count > most) {
      return Future.failedFuture(new Refusal(ErrorCode.ROOM_FULL, "the room has no place left"));
    }
    SqlClient transaction = locked.transaction();
    MemberJoined joined = new MemberJoined(member);
    Stream<RoomChange> told =
        Stream.of(locked.isBig(count) ? new Members(next(locked), 1, 0, joined) : joined);
    return stores
        .members()
        .insert(transaction, locked.position(), member, next(locked))
        .compose(_ -> stores.rooms().addToCount(transaction, locked.id(), 1))
        .compose(
            _ ->
                role == Role.MEMBER
                    ? append(locked, told)
                    : stores
                        .members()
                        .setRole(locked, member, role)
                        .compose(
                            _ ->
                                append(
                                    locked,
                                    Stream.concat(told, Stream.of(new MemberRole(member, role))))));
  }

  /// @param then what else changes with it; with [Archived] the room is archived
  Future<List<NumberedChange>> end(
      LockedRoom locked, AccountId member, LeaveReason reason, List<RoomChange> then) {
    SqlClient transaction = locked.transaction();
    MemberLeft left = new MemberLeft(member, reason);
    RoomChange told =
        locked.isBig(locked.room().memberCount()) ? new Members(next(locked), 0, 1, left) : left;
    return stores
        .members()
        .delete(transaction, locked.position(), member, next(locked))
        .compose(_ -> stores.rooms().addToCount(transaction, locked.id(), -1))
        .compose(
            _ ->
                then.contains(new Archived())
                    ? stores.rooms().archive(transaction, locked.id())
                    : Future.succeededFuture())
        .compose(_ -> append(locked, Stream.concat(Stream.of(told), then.stream())));
  }

  private static Rev next(LockedRoom locked) {
    return locked.position().rev().next();
  }

  private Future<List<NumberedChange>> append(LockedRoom locked, Stream<RoomChange> changes) {
    return stores.changes().append(locked, changes.toList());
  }
}
