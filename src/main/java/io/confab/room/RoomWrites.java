package io.confab.room;

import io.confab.bus.Done;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Room;
import io.confab.room.Decision.Write;
import io.confab.room.RoomCommand.Member;
import io.vertx.core.Future;
import java.util.List;

/// Writes what is decided about a locked room.
final class RoomWrites {
  private final RoomStores stores;

  RoomWrites(RoomStores stores) {
    this.stores = stores;
  }

  Future<Outcome<Done>> done(LockedRoom locked, Decision decision) {
    return write(locked, decision).map(changes -> NumberedChange.outcome(Done.DONE, changes));
  }

  /// Answers the room as the caller sees it then.
  Future<Outcome<Room>> room(LockedRoom locked, Decision decision) {
    return decision.isNothing()
        ? Future.succeededFuture(Outcome.quiet(locked.room()))
        : write(locked, decision).compose(changes -> stores.rooms().seenAfter(locked, changes));
  }

  /// Answers the member as it is then.
  ///
  /// @param member as it is now
  Future<Outcome<Member>> member(LockedRoom locked, Member member, Decision decision) {
    return decision.isNothing()
        ? Future.succeededFuture(Outcome.quiet(member))
        : member(locked, member.accountId(), decision);
  }

  /// Answers the member as it is then.
  Future<Outcome<Member>> member(LockedRoom locked, AccountId member, Decision decision) {
    return write(locked, decision)
        .compose(
            changes ->
                stores
                    .members()
                    .require(locked, member)
                    .map(now -> NumberedChange.outcome(now, changes)));
  }

  Future<List<NumberedChange>> write(LockedRoom locked, Decision decision) {
    Future<Void> written = Future.succeededFuture();
    for (Write write : decision.writes()) {
      written = written.compose(_ -> write(locked, write));
    }
    return written.compose(
        _ ->
            decision.changes().isEmpty()
                ? Future.succeededFuture(List.of())
                : stores.changes().append(locked, decision.changes()));
  }

  private Future<Void> write(LockedRoom locked, Write write) {
    return switch (write) {
      case Write.Begin(var member) ->
          stores
              .members()
              .insert(locked, member)
              .compose(_ -> stores.rooms().addToCount(locked, 1));
      case Write.End(var member) ->
          stores
              .members()
              .delete(locked, member)
              .compose(_ -> stores.rooms().addToCount(locked, -1));
      case Write.GiveRole(var member, var role) -> stores.members().setRole(locked, member, role);
      case Write.Mute(var member, var until) ->
          stores
              .bans()
              .mute(locked, member, until)
              .compose(lasts -> require(lasts, Refusal.invalidField("until", "is past")));
      case Write.Change(var settings) ->
          stores
              .rooms()
              .update(locked, settings)
              .compose(
                  free ->
                      require(
                          free,
                          new Refusal(ErrorCode.CONFLICT, "name", "a channel has this name")));
      case Write.Archive() -> stores.rooms().archive(locked);
      case Write.Note(var action, var account, var data) ->
          stores.audit().add(locked, action, account, data);
    };
  }

  private static Future<Void> require(boolean met, Refusal refusal) {
    return met ? Future.succeededFuture() : Future.failedFuture(refusal);
  }
}
