package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomChange.MemberJoined;
import io.confab.protocol.RoomChange.Members;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import java.util.List;

/// A room about to be made.
///
/// @param creator among the members
/// @param members the first ones, the creator first, nobody twice
record NewRoom(
    RoomId id, RoomType type, RoomSettings settings, AccountId creator, List<AccountId> members) {
  private static final int NAMED_ONE_BY_ONE = 200;

  /// What the room's log begins with: revs 1 to n for n members, or rev 1 for all.
  List<? extends RoomChange> firstChanges() {
    return inOneChange()
        ? List.of(new Members(Rev.ZERO.next(), members.size(), 0, null))
        : members.stream().map(MemberJoined::new).toList();
  }

  /// The rev at which the member of this place joins.
  Rev joinedAt(int index) {
    return new Rev(inOneChange() ? 1 : index + 1L);
  }

  Role role(AccountId member) {
    return member.equals(creator) && type != RoomType.DIRECT ? Role.OWNER : Role.MEMBER;
  }

  private boolean inOneChange() {
    return isBig(members.size());
  }

  /// Whether the log of a room with so many members counts who comes and goes.
  static boolean isBig(long members) {
    return members > NAMED_ONE_BY_ONE;
  }
}
