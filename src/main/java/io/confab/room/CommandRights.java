package io.confab.room;

import io.confab.room.RoomCommand.AcceptInvitation;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.ArchiveRoom;
import io.confab.room.RoomCommand.BanMember;
import io.confab.room.RoomCommand.ChangeRoom;
import io.confab.room.RoomCommand.DeclineInvitation;
import io.confab.room.RoomCommand.DeleteInvite;
import io.confab.room.RoomCommand.FindInvitation;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.ListBans;
import io.confab.room.RoomCommand.ListInvites;
import io.confab.room.RoomCommand.ListMembers;
import io.confab.room.RoomCommand.MakeInvite;
import io.confab.room.RoomCommand.MuteMember;
import io.confab.room.RoomCommand.OfRoom;
import io.confab.room.RoomCommand.ReadAudit;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.TransferRoom;
import io.confab.room.RoomCommand.Unban;
import io.confab.room.RoomCommand.Unmute;

/// Which right a command about a room needs. A command that acts on an admin or an owner may need
/// another one besides.
final class CommandRights {
  private CommandRights() {}

  static RoomRight of(OfRoom<?> command) {
    return switch (command) {
      case GetRoom _ -> RoomRight.SEE_ROOM;
      case ListMembers _ -> RoomRight.SEE_MEMBERS;
      case Join _ -> RoomRight.JOIN;
      case AcceptInvitation _, DeclineInvitation _, FindInvitation _ -> RoomRight.JOIN_BY_INVITE;
      case AddMember _ -> RoomRight.ADD_MEMBER;
      case RemoveMember remove ->
          remove.member().equals(remove.caller()) ? RoomRight.LEAVE : RoomRight.KICK;
      case ChangeRoom _ -> RoomRight.CHANGE_SETTINGS;
      case ArchiveRoom _ -> RoomRight.ARCHIVE;
      case TransferRoom _ -> RoomRight.TRANSFER;
      case ListBans _ -> RoomRight.SEE_BANS;
      case BanMember _, Unban _ -> RoomRight.BAN;
      case MuteMember _, Unmute _ -> RoomRight.MUTE;
      case MakeInvite _, DeleteInvite _ -> RoomRight.INVITE;
      case ListInvites _ -> RoomRight.SEE_INVITES;
      case ReadAudit _ -> RoomRight.READ_AUDIT;
    };
  }
}
