package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.room.RoomCommand.DeleteInvite;
import io.confab.room.RoomCommand.Invite;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.NewInvite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.random.RandomGenerator;

/// Makes and deletes invitations of rooms.
final class Invitations {
  /// Of one room at a time.
  private static final int MOST = 1_000;

  private final RoomLock lock;
  private final RoomStores stores;
  private final RandomGenerator random;

  /// @param random a secure one
  Invitations(RoomLock lock, RoomStores stores, RandomGenerator random) {
    this.lock = lock;
    this.stores = stores;
    this.random = random;
  }

  Future<NewInvite> make(MakeInvite command) {
    InviteCode code = InviteCode.random(random);
    return lock.change(
        command,
        locked ->
            stores
                .invites()
                .countAlive(locked, MOST)
                .compose(
                    alive ->
                        alive < MOST
                            ? insert(locked, code, command)
                            : Future.failedFuture(
                                new Refusal(
                                    ErrorCode.CONFLICT, "at most " + MOST + " invitations")))
                .map(invite -> Outcome.quiet(new NewInvite(code.text(), invite))));
  }

  private Future<Invite> insert(LockedRoom locked, InviteCode code, MakeInvite command) {
    return stores
        .invites()
        .insert(locked, code, new InviteStore.Terms(command.lifetime(), command.maxUses()))
        .compose(
            invite -> audit(locked, AuditAction.INVITE_MADE, invite.inviteId()).map(_ -> invite));
  }

  Future<Done> delete(DeleteInvite command) {
    return lock.change(
        command,
        locked ->
            stores
                .invites()
                .delete(locked, InviteCode.said(command.name()))
                .compose(
                    id ->
                        audit(
                            locked,
                            AuditAction.INVITE_DELETED,
                            id.orElseThrow(
                                () -> new Refusal(ErrorCode.NOT_FOUND, "no such invitation"))))
                .map(_ -> Outcome.quiet(Done.DONE)));
  }

  private Future<Void> audit(LockedRoom locked, AuditAction action, String id) {
    return stores.audit().add(locked, action, null, new JsonObject().put("invite_id", id));
  }
}
