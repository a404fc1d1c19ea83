package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.EntityTag;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Role;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand.AcceptInvitation;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.AddMembers;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.DeclineInvitation;
import io.confab.room.RoomCommand.DeleteInvite;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.OfRoom;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.TransferRoom;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which function of the database makes which change of a room.
final class RoomCalls {
  /// Invitations of a room that are alive.
  private static final long MOST_INVITES = 1_000;

  private RoomCalls() {}

  /// @param asks as of [RoomCommand.CreateRoom]
  static RoomCall create(NewRoom room, boolean asks) {
    RoomSettings settings = room.settings();
    return RoomCall.of(
            room.id(),
            "create_room",
            room.members().stream().map(AccountId::value).toArray(Long[]::new),
            room.type().wire(),
            settings.name(),
            room.type() == RoomType.CHANNEL ? key(settings.name()) : null,
            settings.description(),
            wire(settings.history()),
            settings.slowModeS(),
            settings.maxMembers(),
            settings.capacity(),
            settings.readOutside(),
            asks)
        .signalling(
            room.members().stream()
                .<AccountSignal>map(member -> new AccountSignal.Added(member, room.id()))
                .toList());
  }

  static RoomCall join(Join join) {
    return join(join.caller(), join.room(), null, false);
  }

  static RoomCall accept(AcceptInvitation accept) {
    return join(accept.caller(), accept.room(), null, true);
  }

  static RoomCall decline(DeclineInvitation decline) {
    return by(decline, "decline_invitation");
  }

  static RoomCall joinByInvite(AccountId caller, RoomId room, InviteCode code) {
    return join(caller, room, code, false);
  }

  private static RoomCall join(
      AccountId caller, RoomId room, @Nullable InviteCode code, boolean invited) {
    return RoomCall.of(
            room, "join_room", caller.value(), code == null ? null : code.hash(), invited)
        .signalling(List.of(new AccountSignal.Added(caller, room)));
  }

  static RoomCall add(AddMember add) {
    Role role = add.role();
    return by(
            add, "add_member", add.member().value(), role == null ? null : role.wire(), add.asks())
        .signalling(List.of(new AccountSignal.Added(add.member(), add.room())))
        .showing(add.member());
  }

  /// @param members each of them once
  static RoomCall add(AddMembers add, List<AccountId> members) {
    return by(
            add,
            "add_members",
            members.stream().map(AccountId::value).toArray(Long[]::new),
            add.asks())
        .signalling(
            members.stream()
                .<AccountSignal>map(member -> new AccountSignal.Added(member, add.room()))
                .toList());
  }

  /// Leaves too.
  static RoomCall remove(RemoveMember remove) {
    AccountId member = remove.member();
    LeaveReason reason = member.equals(remove.caller()) ? LeaveReason.LEFT : LeaveReason.REMOVED;
    return by(remove, "remove_member", member.value())
        .signalling(List.of(new AccountSignal.Removed(member, remove.room(), reason)));
  }

  /// The membership of a removed account ends.
  static RoomCall takeOut(AccountId account, RoomId room) {
    return RoomCall.of(room, "take_out_account", account.value())
        .signalling(List.of(new AccountSignal.Removed(account, room, LeaveReason.ACCOUNT_REMOVED)));
  }

  static RoomCall transfer(TransferRoom transfer) {
    return by(transfer, "transfer_room", transfer.member().value()).showing(transfer.member());
  }

  static RoomCall ban(BanMember ban) {
    return by(ban, "ban_member", ban.member().value(), ban.reason())
        .signalling(
            List.of(new AccountSignal.Removed(ban.member(), ban.room(), LeaveReason.BANNED)));
  }

  static RoomCall unban(Unban unban) {
    return by(unban, "unban_member", unban.member().value());
  }

  static RoomCall mute(MuteMember mute) {
    return by(
            mute,
            "mute_member",
            mute.member().value(),
            Instant.ofEpochMilli(mute.until()).atOffset(ZoneOffset.UTC))
        .showing(mute.member());
  }

  static RoomCall unmute(Unmute unmute) {
    return by(unmute, "unmute_member", unmute.member().value());
  }

  static RoomCall change(ChangeRoom change) {
    RoomSettings settings = change.settings();
    return by(
        change,
        "change_matching_room",
        (Object) EntityTag.values(change.seen()),
        settings.name(),
        key(settings.name()),
        settings.description(),
        wire(settings.history()),
        settings.slowModeS(),
        settings.maxMembers(),
        settings.capacity(),
        settings.readOutside(),
        settings.suite(),
        settings.expiresInS());
  }

  static RoomCall archive(ArchiveRoom archive) {
    return by(archive, "archive_room");
  }

  static RoomCall makeInvite(MakeInvite make, InviteCode code) {
    Duration lifetime = make.lifetime();
    return by(
        make,
        "make_invite",
        code.id(),
        code.hash(),
        lifetime == null ? null : lifetime.toSeconds(),
        make.maxUses(),
        MOST_INVITES);
  }

  static RoomCall deleteInvite(DeleteInvite delete) {
    InviteCode name = InviteCode.said(delete.name());
    return by(delete, "delete_invite", name.hash(), name.id());
  }

  private static RoomCall by(OfRoom<?> command, String function, @Nullable Object... arguments) {
    List<@Nullable Object> all = new ArrayList<>();
    all.add(command.caller().value());
    all.addAll(Arrays.asList(arguments));
    return new RoomCall(command.room(), function, all, List.of(), null);
  }

  private static @Nullable String key(@Nullable String name) {
    return name == null ? null : ChannelName.key(name);
  }

  private static @Nullable String wire(@Nullable HistoryRule history) {
    return history == null ? null : history.wire();
  }
}
