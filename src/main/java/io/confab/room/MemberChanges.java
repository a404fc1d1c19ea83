package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.RoomView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Lets members in and out.
final class MemberChanges {
  private final RoomLock lock;
  private final RoomStores stores;
  private final Memberships admission;
  private final RoleChanges roles;

  MemberChanges(RoomLock lock, RoomStores stores, Memberships admission, RoleChanges roles) {
    this.lock = lock;
    this.stores = stores;
    this.admission = admission;
    this.roles = roles;
  }

  Future<RoomView> join(Join command) {
    return lock.change(command, this::enter).map(RoomView::new);
  }

  /// The caller becomes a member; one who is in the room already changes nothing.
  private Future<Outcome<Room>> enter(LockedRoom locked) {
    if (locked.room().role() != null) {
      return Future.succeededFuture(Outcome.quiet(locked.room()));
    }
    return admission
        .begin(locked, locked.caller(), Role.MEMBER)
        .compose(changes -> stores.rooms().seenAfter(locked, changes));
  }

  Future<MemberView> add(AddMember command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .find(locked.transaction(), locked.id(), command.member())
                    .compose(
                        found ->
                            found.isPresent()
                                ? roles.set(locked, found.get(), command.role())
                                : addNew(locked, command)))
        .map(MemberView::new);
  }

  private Future<Outcome<Member>> addNew(LockedRoom locked, AddMember command) {
    AccountId member = command.member();
    Role role = command.role() == null ? Role.MEMBER : command.role();
    if (role != Role.MEMBER) {
      locked.require(RoomRight.CHANGE_ROLES);
    }
    return stores
        .bans()
        .isBanned(locked.transaction(), locked.id(), member)
        .compose(
            banned ->
                banned
                    ? Future.failedFuture(
                        new Refusal(ErrorCode.CONFLICT, "the account is banned from this room"))
                    : admission.begin(locked, member, role))
        .compose(
            changes ->
                stores
                    .audit()
                    .add(
                        locked,
                        AuditAction.MEMBER_ADDED,
                        member,
                        new JsonObject().put("role", role.wire()))
                    .compose(_ -> stores.members().find(locked.transaction(), locked.id(), member))
                    .map(found -> NumberedChange.outcome(found.orElseThrow(), changes)));
  }

  /// Removes a member, or leaves.
  Future<Done> remove(RemoveMember command) {
    return lock.change(
        command,
        locked ->
            command.member().equals(command.caller())
                ? leave(locked)
                : kick(locked, command.member()));
  }

  /// A room always has an owner, unless nobody is left in it.
  private Future<Outcome<Done>> leave(LockedRoom locked) {
    boolean alone = locked.room().memberCount() == 1;
    List<RoomChange> then = alone ? List.of(new Archived()) : List.of();
    return (locked.room().role() == Role.OWNER && !alone
            ? roles.demandOtherOwner(locked)
            : Future.<Void>succeededFuture())
        .compose(_ -> admission.end(locked, locked.caller(), LeaveReason.LEFT, then))
        .map(changes -> NumberedChange.outcome(Done.DONE, changes));
  }

  private Future<Outcome<Done>> kick(LockedRoom locked, AccountId member) {
    return stores
        .members()
        .require(locked, member)
        .compose(
            found -> {
              locked.require(RoomRight.KICK, found.role());
              return admission.end(locked, member, LeaveReason.REMOVED, List.of());
            })
        .compose(
            changes ->
                stores
                    .audit()
                    .add(locked, AuditAction.MEMBER_REMOVED, member)
                    .map(_ -> NumberedChange.outcome(Done.DONE, changes)));
  }

  /// The account is removed: its memberships end, one room after the other. A room of which it
  /// was the last owner goes to the oldest admin, else to the oldest member; one in which it was
  /// alone and a direct one, of which the other keeps what was said, are archived. May be asked
  /// again, and goes on where it was interrupted.
  Future<Void> endAll(AccountId account) {
    return stores
        .rooms()
        .anyOf(account)
        .compose(
            room ->
                room.isEmpty()
                    ? Future.succeededFuture()
                    : lock.lock(account, room.get(), this::endRemoved)
                        .compose(_ -> endAll(account)));
  }

  private Future<Outcome<Done>> endRemoved(LockedRoom locked) {
    if (locked.room().role() == null) {
      return Future.succeededFuture(Outcome.quiet(Done.DONE));
    }
    return roles
        .inherit(locked)
        .compose(then -> admission.end(locked, locked.caller(), LeaveReason.ACCOUNT_REMOVED, then))
        .map(changes -> NumberedChange.outcome(Done.DONE, changes));
  }

  /// Whoever has the code of an invitation joins its room.
  Future<RoomView> joinByInvite(AccountId caller, InviteCode code) {
    return stores
        .invites()
        .room(code)
        .map(room -> room.orElseThrow(MemberChanges::noSuchInvite))
        .compose(
            room ->
                lock.change(
                    caller, room, RoomRight.JOIN_BY_INVITE, locked -> enterBy(code, locked)))
        .map(RoomView::new);
  }

  private Future<Outcome<Room>> enterBy(InviteCode code, LockedRoom locked) {
    if (locked.room().role() != null) {
      return enter(locked);
    }
    return stores
        .invites()
        .use(locked, code)
        .compose(
            used ->
                used
                    ? enter(locked)
                    : stores
                        .invites()
                        .room(locked.transaction(), code)
                        .map(Optional::isPresent)
                        .compose(there -> Future.failedFuture(there ? over() : noSuchInvite())));
  }

  private static Refusal over() {
    return new Refusal(ErrorCode.GONE, "the invitation is over");
  }

  private static Refusal noSuchInvite() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such invitation");
  }
}
