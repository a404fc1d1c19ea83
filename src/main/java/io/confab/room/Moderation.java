package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange.MemberMuted;
import io.confab.room.RoomCommand.Ban;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.BanView;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Keeps accounts out of a room, or silent in it. A ban and a mute last when the account leaves.
final class Moderation {
  private final RoomLock lock;
  private final RoomStores stores;
  private final Memberships admission;

  Moderation(RoomLock lock, RoomStores stores, Memberships admission) {
    this.lock = lock;
    this.stores = stores;
    this.admission = admission;
  }

  Future<BanView> ban(BanMember command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .demandAccount(locked.transaction(), command.member())
                    .compose(_ -> member(locked, command.member()))
                    .compose(member -> ban(locked, command, member)))
        .map(BanView::new);
  }

  private Future<Outcome<Ban>> ban(LockedRoom locked, BanMember command, Optional<Member> member) {
    locked.require(RoomRight.BAN, member.map(Member::role).orElse(Role.MEMBER));
    JsonObject data =
        command.reason() == null ? null : new JsonObject().put("reason", command.reason());
    return stores
        .bans()
        .ban(locked, command.member(), command.reason())
        .compose(
            ban ->
                stores
                    .audit()
                    .add(locked, AuditAction.MEMBER_BANNED, command.member(), data)
                    .compose(
                        _ ->
                            member.isPresent()
                                ? admission.end(
                                    locked, command.member(), LeaveReason.BANNED, List.of())
                                : Future.succeededFuture(List.<NumberedChange>of()))
                    .map(changes -> NumberedChange.outcome(ban, changes)));
  }

  Future<Done> unban(Unban command) {
    return lock.change(
        command,
        locked ->
            stores
                .bans()
                .unban(locked, command.member())
                .compose(
                    was -> {
                      if (!was) {
                        throw new Refusal(ErrorCode.NOT_FOUND, "not banned from this room");
                      }
                      return stores
                          .audit()
                          .add(locked, AuditAction.MEMBER_UNBANNED, command.member());
                    })
                .map(_ -> Outcome.quiet(Done.DONE)));
  }

  Future<MemberView> mute(MuteMember command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .require(locked, command.member())
                    .compose(member -> mute(locked, member, command.until())))
        .map(MemberView::new);
  }

  private Future<Outcome<Member>> mute(LockedRoom locked, Member member, long until) {
    locked.require(RoomRight.MUTE, member.role());
    if (Objects.equals(member.mutedUntil(), until)) {
      return Future.succeededFuture(Outcome.quiet(member));
    }
    AccountId account = member.accountId();
    return stores
        .bans()
        .mute(locked, account, until)
        .compose(
            lasts -> {
              if (!lasts) {
                throw Refusal.invalidField("until", "is past");
              }
              return stores
                  .audit()
                  .add(
                      locked,
                      AuditAction.MEMBER_MUTED,
                      account,
                      new JsonObject().put("until", until));
            })
        .compose(_ -> stores.changes().append(locked, List.of(new MemberMuted(account, until))))
        .compose(
            changes ->
                stores
                    .members()
                    .require(locked, account)
                    .map(now -> NumberedChange.outcome(now, changes)));
  }

  /// One who is not muted stays so; one who left is muted no longer when it comes back.
  Future<Done> unmute(Unmute command) {
    return lock.change(
        command,
        locked ->
            member(locked, command.member())
                .compose(
                    member -> {
                      locked.require(RoomRight.MUTE, member.map(Member::role).orElse(Role.MEMBER));
                      return stores
                          .bans()
                          .unmute(locked, command.member())
                          .compose(was -> told(locked, command.member(), was, member));
                    }));
  }

  private Future<Outcome<Done>> told(
      LockedRoom locked, AccountId account, boolean was, Optional<Member> member) {
    if (!was) {
      return member.isPresent()
          ? Future.succeededFuture(Outcome.quiet(Done.DONE))
          : Future.failedFuture(MemberStore.noSuchMember());
    }
    return stores
        .audit()
        .add(locked, AuditAction.MEMBER_UNMUTED, account)
        .compose(
            _ ->
                member.isPresent()
                    ? stores.changes().append(locked, List.of(new MemberMuted(account, null)))
                    : Future.succeededFuture(List.<NumberedChange>of()))
        .map(changes -> NumberedChange.outcome(Done.DONE, changes));
  }

  private Future<Optional<Member>> member(LockedRoom locked, AccountId account) {
    return stores.members().find(locked.transaction(), locked.id(), account);
  }
}
