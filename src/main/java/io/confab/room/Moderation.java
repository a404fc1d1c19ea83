package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.room.RoomCommand.Ban;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.BanView;
import io.confab.room.RoomCommand.Member;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;
import io.vertx.core.Future;
import java.util.Optional;

/// Keeps accounts out of a room, or silent in it. A ban and a mute last when the account leaves.
final class Moderation {
  private final RoomLock lock;
  private final RoomStores stores;
  private final RoomWrites writes;

  Moderation(RoomLock lock, RoomStores stores, RoomWrites writes) {
    this.lock = lock;
    this.stores = stores;
    this.writes = writes;
  }

  Future<BanView> ban(BanMember command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .requireAccount(locked.transaction(), command.member())
                    .compose(_ -> member(locked, command.member()))
                    .map(
                        member ->
                            ModerationRules.ban(
                                locked.facts(), command.member(), command.reason(), member))
                    .compose(decision -> ban(locked, command, decision)))
        .map(BanView::new);
  }

  private Future<Outcome<Ban>> ban(LockedRoom locked, BanMember command, Decision decision) {
    return stores
        .bans()
        .ban(locked, command.member(), command.reason())
        .compose(
            ban ->
                writes
                    .write(locked, decision)
                    .map(changes -> NumberedChange.outcome(ban, changes)));
  }

  Future<Done> unban(Unban command) {
    return lock.change(
        command,
        locked ->
            stores
                .bans()
                .unban(locked, command.member())
                .map(was -> ModerationRules.unbanned(command.member(), was))
                .compose(decision -> writes.done(locked, decision)));
  }

  Future<MemberView> mute(MuteMember command) {
    return lock.change(
            command,
            locked ->
                stores
                    .members()
                    .require(locked, command.member())
                    .compose(
                        member ->
                            writes.member(
                                locked,
                                member,
                                ModerationRules.mute(locked.facts(), member, command.until()))))
        .map(MemberView::new);
  }

  /// A member who is not muted stays so; a former member is not muted any more when it comes back.
  Future<Done> unmute(Unmute command) {
    return lock.change(
        command,
        locked ->
            member(locked, command.member()).compose(member -> unmute(locked, command, member)));
  }

  private Future<Outcome<Done>> unmute(LockedRoom locked, Unmute command, Optional<Member> member) {
    ModerationRules.requireToActOn(locked.facts(), RoomRight.MUTE, member);
    return stores
        .bans()
        .unmute(locked, command.member())
        .map(was -> ModerationRules.unmuted(command.member(), was, member))
        .compose(decision -> writes.done(locked, decision));
  }

  private Future<Optional<Member>> member(LockedRoom locked, AccountId account) {
    return stores.members().find(locked.transaction(), locked.id(), account);
  }
}
