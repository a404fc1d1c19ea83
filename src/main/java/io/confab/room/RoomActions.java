package io.confab.room;

import io.confab.account.AccountCommand.Fault;
import io.confab.bus.Done;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.room.RoomCommand.AcceptInvitation;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.AddMembers;
import io.confab.room.RoomCommand.Added;
import io.confab.room.RoomCommand.Addition;
import io.confab.room.RoomCommand.Additions;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.BanView;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.MemberView;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.NewInvite;
import io.confab.room.RoomCommand.RoomView;
import io.confab.room.RoomCommand.TransferRoom;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Changes rooms that exist, and answers what there is then.
final class RoomActions {
  private static final String ASKED = "asked";
  private static final Set<String> NO_FAULT = Set.of("member", "added", ASKED);

  private final RoomStores stores;
  private final RoomChanges changes;
  private final RandomGenerator random;

  /// @param random a secure one
  RoomActions(RoomStores stores, RoomChanges changes, RandomGenerator random) {
    this.stores = stores;
    this.changes = changes;
    this.random = random;
  }

  Future<RoomView> join(Join command) {
    return make(RoomCalls.join(command), command.caller());
  }

  Future<RoomView> accept(AcceptInvitation command) {
    return make(RoomCalls.accept(command), command.caller());
  }

  /// Lets an account that has the code of an invitation join its room.
  Future<RoomView> joinByInvite(AccountId caller, InviteCode code) {
    return stores
        .invites()
        .room(code)
        .compose(room -> make(RoomCalls.joinByInvite(caller, room, code), caller));
  }

  Future<RoomView> change(ChangeRoom command) {
    return make(RoomCalls.change(command), command.caller());
  }

  /// Answers the room as the caller sees it then.
  private Future<RoomView> make(RoomCall call, AccountId caller) {
    return changes
        .make(call)
        .compose(_ -> stores.rooms().find(caller, call.room()))
        .map(seen -> seen.orElseThrow(Refusal::noSuchRoom).view());
  }

  Future<Addition> add(AddMember command) {
    return changes
        .make(RoomCalls.add(command))
        .map(made -> new Addition(made.member().orElse(null)));
  }

  /// An account that is named twice is added once, and answered twice.
  Future<Additions> add(AddMembers command) {
    List<AccountId> members = command.members().stream().distinct().toList();
    return changes
        .make(RoomCalls.add(command, members))
        .map(
            made -> {
              Map<AccountId, String> outcomes = new HashMap<>();
              for (int i = 0; i < members.size(); i++) {
                outcomes.put(members.get(i), made.outcomes().get(i));
              }
              List<AccountId> asked =
                  members.stream().filter(m -> ASKED.equals(outcomes.get(m))).toList();
              return new Additions(
                  command.members().stream()
                      .map(m -> new Added(m, fault(Objects.requireNonNull(outcomes.get(m)))))
                      .toList(),
                  asked.isEmpty() ? null : asked);
            });
  }

  private static @Nullable Fault fault(String outcome) {
    return NO_FAULT.contains(outcome) ? null : Fault.of(RoomRefusal.of(outcome));
  }

  Future<MemberView> transfer(TransferRoom command) {
    return member(RoomCalls.transfer(command));
  }

  Future<MemberView> mute(MuteMember command) {
    return member(RoomCalls.mute(command));
  }

  /// Answers the member as it is then.
  private Future<MemberView> member(RoomCall call) {
    return changes.make(call).map(made -> new MemberView(made.member().orElseThrow()));
  }

  Future<BanView> ban(BanMember command) {
    RoomId room = command.room();
    return changes
        .make(RoomCalls.ban(command))
        .compose(_ -> stores.bans().require(room, command.member()))
        .map(BanView::new);
  }

  Future<NewInvite> makeInvite(MakeInvite command) {
    InviteCode code = InviteCode.random(random);
    return changes
        .make(RoomCalls.makeInvite(command, code))
        .compose(_ -> stores.invites().require(command.room(), code.id()))
        .map(invite -> new NewInvite(code.text(), invite));
  }

  Future<Done> done(RoomCall call) {
    return changes.make(call).map(Done.DONE);
  }
}
