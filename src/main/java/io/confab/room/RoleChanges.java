package io.confab.room;

import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.Archived;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.protocol.RoomChange.MemberRole;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.TransferRoom;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes what members are. A room always has an owner, and nobody but an owner ends an
/// ownership: their own.
final class RoleChanges {
  private final RoomLock lock;
  private final RoomStores stores;

  RoleChanges(RoomLock lock, RoomStores stores) {
    this.lock = lock;
    this.stores = stores;
  }

  /// @param role absent: it stays
  Future<Outcome<Member>> set(LockedRoom locked, Member member, @Nullable Role role) {
    if (role == null || role == member.role()) {
      return Future.succeededFuture(Outcome.quiet(member));
    }
    locked.require(RoomRight.CHANGE_ROLES);
    boolean own = member.accountId().equals(locked.caller());
    if (member.role() == Role.OWNER && !own) {
      locked.require(RoomRight.ACT_ON_OWNER);
    }
    return (own ? demandOtherOwner(locked) : Future.<Void>succeededFuture())
        .compose(_ -> stores.members().setRole(locked, member.accountId(), role))
        .compose(
            _ ->
                stores
                    .audit()
                    .add(
                        locked,
                        AuditAction.MEMBER_ROLE,
                        member.accountId(),
                        new JsonObject().put("role", role.wire())))
        .compose(_ -> append(locked, member, given(member, role)));
  }

  /// Owners are not muted, and everybody is told so.
  private static List<RoomChange> given(Member member, Role role) {
    MemberRole now = new MemberRole(member.accountId(), role);
    return role == Role.OWNER && member.mutedUntil() != null
        ? List.of(new MemberMuted(member.accountId(), null), now)
        : List.of(now);
  }

  private Future<Outcome<Member>> append(
      LockedRoom locked, Member member, List<RoomChange> changes) {
    return stores
        .changes()
        .append(locked, changes)
        .compose(
            numbered ->
                stores
                    .members()
                    .require(locked, member.accountId())
                    .map(now -> NumberedChange.outcome(now, numbered)));
  }

  /// Refusal: `conflict` when the caller is the last owner.
  Future<Void> demandOtherOwner(LockedRoom locked) {
    return stores
        .members()
        .hasOtherOwner(locked.transaction(), locked.id(), locked.caller())
        .map(
            other -> {
              if (!other) {
                throw new Refusal(ErrorCode.CONFLICT, "the last owner stays");
              }
              return null;
            });
  }

  Future<MemberView> transfer(TransferRoom command) {
    return lock.change(
            command,
            locked -> {
              if (command.member().equals(command.caller())) {
                throw new Refusal(ErrorCode.CONFLICT, "you are the owner");
              }
              return stores
                  .members()
                  .require(locked, command.member())
                  .compose(heir -> handOver(locked, heir));
            })
        .map(MemberView::new);
  }

  private Future<Outcome<Member>> handOver(LockedRoom locked, Member heir) {
    AccountId giver = locked.caller();
    List<RoomChange> changes = new ArrayList<>();
    if (heir.role() != Role.OWNER) {
      changes.addAll(given(heir, Role.OWNER));
    }
    changes.add(new MemberRole(giver, Role.ADMIN));
    return stores
        .members()
        .setRole(locked, heir.accountId(), Role.OWNER)
        .compose(_ -> stores.members().setRole(locked, giver, Role.ADMIN))
        .compose(_ -> stores.audit().add(locked, AuditAction.OWNER_CHANGED, heir.accountId()))
        .compose(_ -> append(locked, heir, changes));
  }

  /// What comes with the removal of the caller's account: somebody else becomes owner, or the
  /// room is archived.
  Future<List<RoomChange>> inherit(LockedRoom locked) {
    boolean direct = locked.room().type() == RoomType.DIRECT;
    if (direct || locked.room().memberCount() == 1) {
      return Future.succeededFuture(
          locked.position().archived() ? List.of() : List.of(new Archived()));
    }
    if (locked.room().role() != Role.OWNER) {
      return Future.succeededFuture(List.of());
    }
    return stores
        .members()
        .hasOtherOwner(locked.transaction(), locked.id(), locked.caller())
        .compose(other -> other ? Future.succeededFuture(List.of()) : crown(locked));
  }

  private Future<List<RoomChange>> crown(LockedRoom locked) {
    return stores
        .members()
        .oldestBut(locked)
        .compose(heir -> stores.members().require(locked, heir))
        .compose(
            heir ->
                stores
                    .members()
                    .setRole(locked, heir.accountId(), Role.OWNER)
                    .map(_ -> given(heir, Role.OWNER)));
  }
}
