package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.RoomView;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lets members in and out, and changes their roles.
final class MemberChanges {
  private final RoomLock lock;
  private final RoomStores stores;
  private final RoomWrites writes;

  MemberChanges(RoomLock lock, RoomStores stores, RoomWrites writes) {
    this.lock = lock;
    this.stores = stores;
    this.writes = writes;
  }

  Future<RoomView> join(Join command) {
    return lock.change(command, this::enter).map(RoomView::new);
  }

  private Future<Outcome<Room>> enter(LockedRoom locked) {
    return writes.room(locked, MembershipRules.join(locked.facts()));
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
                                ? setRole(locked, found.get(), command.role())
                                : addNew(locked, command)))
        .map(MemberView::new);
  }

  private Future<Outcome<Member>> setRole(LockedRoom locked, Member member, @Nullable Role role) {
    boolean own = member.accountId().equals(locked.caller());
    return (own ? stores.members().heir(locked) : Future.succeededFuture(Optional.<Member>empty()))
        .map(heir -> RoleRules.set(locked.facts(), member, role, heir))
        .compose(decision -> writes.member(locked, member, decision));
  }

  private Future<Outcome<Member>> addNew(LockedRoom locked, AddMember command) {
    AccountId member = command.member();
    Role role = Objects.requireNonNullElse(command.role(), Role.MEMBER);
    return stores
        .bans()
        .isBanned(locked.transaction(), locked.id(), member)
        .map(banned -> MembershipRules.add(locked.facts(), member, role, banned))
        .compose(decision -> writes.member(locked, member, decision));
  }

  /// Removes a member, or leaves.
  Future<Done> remove(RemoveMember command) {
    return lock.change(
        command,
        locked ->
            decide(locked, command.member()).compose(decision -> writes.done(locked, decision)));
  }

  private Future<Decision> decide(LockedRoom locked, AccountId member) {
    return member.equals(locked.caller())
        ? stores.members().heir(locked).map(heir -> MembershipRules.leave(locked.facts(), heir))
        : stores
            .members()
            .require(locked, member)
            .map(found -> MembershipRules.kick(locked.facts(), found));
  }

  /// The account is removed: its memberships end, one room after the other. May be asked again,
  /// and goes on where it was interrupted.
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
    return stores
        .members()
        .heir(locked)
        .map(heir -> MembershipRules.accountRemoved(locked.facts(), heir))
        .compose(decision -> writes.done(locked, decision));
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
