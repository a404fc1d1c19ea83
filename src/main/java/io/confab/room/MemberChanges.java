package io.confab.room;

import io.confab.bus.Done;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.MemberLeft;
import io.confab.protocol.RoomId;
import io.confab.room.RoomChangeStore.Position;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.RoomView;
import io.confab.room.RoomTransactions.Outcome;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Lets members in and out. Every change is decided and made under the lock of the room, so
/// that no message gets a number after its sender's `member.left`, and told after the commit.
public final class MemberChanges {
  private final RoomTransactions transactions;
  private final RoomStores stores;

  public MemberChanges(Database database, RoomStores stores, RoomNews news) {
    this.transactions = new RoomTransactions(database, news);
    this.stores = stores;
  }

  /// A locked room, as the caller sees it.
  private record Locked(SqlClient transaction, Position position, Room room, AccountId caller) {
    Standing standing() {
      return Standing.of(room.type(), room.role());
    }

    RoomId id() {
      return position.room();
    }

    void demandOpen() {
      if (position.archived()) {
        throw new Refusal(ErrorCode.CONFLICT, "the room is archived");
      }
    }
  }

  Future<RoomView> join(AccountId caller, RoomId room) {
    return change(
            caller,
            room,
            locked -> {
              RoomRight.JOIN.demand(locked.standing());
              if (locked.room().role() != null) {
                return Future.succeededFuture(Outcome.unchanged(locked.room(), room));
              }
              locked.demandOpen();
              return add(locked, caller)
                  .compose(
                      changes ->
                          stores
                              .rooms()
                              .find(locked.transaction(), caller, room)
                              .map(view -> Outcome.of(view.orElseThrow(), room, changes)));
            })
        .map(RoomView::new);
  }

  Future<MemberView> add(AccountId caller, RoomId room, AccountId member) {
    return change(
            caller,
            room,
            locked -> {
              RoomRight.ADD_MEMBER.demand(locked.standing());
              return find(locked, member)
                  .compose(
                      found ->
                          found.isPresent()
                              ? Future.succeededFuture(Outcome.unchanged(found.get(), room))
                              : addNew(locked, member));
            })
        .map(MemberView::new);
  }

  private Future<Outcome<Member>> addNew(Locked locked, AccountId member) {
    locked.demandOpen();
    return stores
        .members()
        .countAccounts(locked.transaction(), List.of(member))
        .compose(
            known ->
                known == 1
                    ? add(locked, member)
                    : Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "no such account")))
        .compose(
            changes ->
                find(locked, member)
                    .map(found -> Outcome.of(found.orElseThrow(), locked.id(), changes)));
  }

  Future<Done> leave(AccountId caller, RoomId room) {
    return change(
        caller,
        room,
        locked -> {
          RoomRight.LEAVE.demand(locked.standing());
          locked.demandOpen();
          return mayLeave(locked)
              .compose(
                  _ -> remove(locked, caller, LeaveReason.LEFT, locked.room().memberCount() == 1));
        });
  }

  /// A room always has an owner, unless nobody is left in it.
  private Future<Void> mayLeave(Locked locked) {
    if (locked.room().role() != Role.OWNER || locked.room().memberCount() == 1) {
      return Future.succeededFuture();
    }
    return stores
        .members()
        .hasOtherOwner(locked.transaction(), locked.id(), locked.caller())
        .map(
            other -> {
              if (!other) {
                throw new Refusal(ErrorCode.CONFLICT, "the last owner cannot leave");
              }
              return null;
            });
  }

  Future<Done> remove(AccountId caller, RoomId room, AccountId member) {
    return change(
        caller,
        room,
        locked -> {
          RoomRight.REMOVE_MEMBER.demand(locked.standing());
          return find(locked, member)
              .compose(
                  found -> {
                    Role role = found.map(Member::role).orElseThrow(MemberChanges::noSuchMember);
                    toRemove(role).demand(locked.standing());
                    locked.demandOpen();
                    return remove(locked, member, LeaveReason.REMOVED, false);
                  });
        });
  }

  private static RoomRight toRemove(Role role) {
    return switch (role) {
      case OWNER -> RoomRight.REMOVE_OWNER;
      case ADMIN -> RoomRight.REMOVE_ADMIN;
      case MEMBER -> RoomRight.REMOVE_MEMBER;
    };
  }

  private Future<List<NumberedChange>> add(Locked locked, AccountId member) {
    SqlClient transaction = locked.transaction();
    return stores
        .members()
        .insert(transaction, locked.position(), member, locked.position().rev().next())
        .compose(_ -> stores.rooms().addToCount(transaction, locked.id(), 1))
        .compose(_ -> append(locked, List.of(new MemberJoined(member))));
  }

  private Future<Outcome<Done>> remove(
      Locked locked, AccountId member, LeaveReason reason, boolean archive) {
    SqlClient transaction = locked.transaction();
    MemberLeft left = new MemberLeft(member, reason);
    return stores
        .members()
        .delete(transaction, locked.position(), member, locked.position().rev().next())
        .compose(_ -> stores.rooms().addToCount(transaction, locked.id(), -1))
        .compose(
            _ ->
                archive
                    ? stores.rooms().archive(transaction, locked.id())
                    : Future.succeededFuture())
        .compose(_ -> append(locked, archive ? List.of(left, new Archived()) : List.of(left)))
        .map(changes -> Outcome.of(Done.DONE, locked.id(), changes));
  }

  private Future<List<NumberedChange>> append(Locked locked, List<RoomChange> changes) {
    return stores
        .changes()
        .append(locked.transaction(), locked.position(), locked.caller(), changes);
  }

  private Future<Optional<Member>> find(Locked locked, AccountId member) {
    return stores.members().find(locked.transaction(), locked.id(), member);
  }

  /// Locks the room, then reads it in a statement of its own, which sees what was committed
  /// while the lock was waited for.
  private <T> Future<T> change(
      AccountId caller, RoomId room, Function<Locked, Future<Outcome<T>>> work) {
    return transactions.run(
        transaction ->
            stores
                .changes()
                .lock(transaction, room)
                .map(position -> position.orElseThrow(MemberChanges::noSuchRoom))
                .compose(
                    position ->
                        stores
                            .rooms()
                            .find(transaction, caller, room)
                            .map(Optional::orElseThrow)
                            .map(view -> new Locked(transaction, position, view, caller)))
                .compose(work));
  }

  private static Refusal noSuchRoom() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such room");
  }

  private static Refusal noSuchMember() {
    return new Refusal(ErrorCode.NOT_FOUND, "not a member of this room");
  }
}
