package io.confab.room;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.HistoryRule;
import io.confab.protocol.Rev;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about rooms and members.
public sealed interface RoomCommand<R extends BusMessage> extends Command<R> {
  Address<RoomCommand<?>> ADDRESS = new Address<>("rooms", NodeRole.ROUTING);

  /// Makes a room with its creator as owner (in a direct room both are members). A direct room
  /// exists once: asked for again, it is answered with `created:false`.
  record CreateRoom(
      AccountId caller,
      RoomType type,
      @Nullable String name,
      @Nullable String description,
      HistoryRule history,
      List<AccountId> members)
      implements RoomCommand<Created> {}

  record Created(Room room, boolean created) implements BusMessage {}

  /// The caller's rooms by id, at most `limit` after `after`.
  record ListRooms(AccountId caller, @Nullable RoomId after, int limit)
      implements RoomCommand<Rooms> {}

  /// @param next the id to go on after; absent at the end
  record Rooms(List<Room> rooms, @Nullable RoomId next) implements BusMessage {}

  record GetRoom(AccountId caller, RoomId room) implements RoomCommand<RoomView> {}

  record RoomView(Room room) implements BusMessage {}

  /// Channels whose name contains `query`, by name.
  record FindChannels(AccountId caller, String query, @Nullable String after, int limit)
      implements RoomCommand<Channels> {}

  record Channels(List<Channel> channels, @Nullable String next) implements BusMessage {}

  record Channel(RoomId roomId, String name, @Nullable String description, long memberCount) {}

  record ListMembers(AccountId caller, RoomId room, @Nullable AccountId after, int limit)
      implements RoomCommand<Members> {}

  record Members(List<Member> members, @Nullable AccountId next) implements BusMessage {}

  /// @param joinedAt milliseconds since 1970
  record Member(AccountId accountId, String handle, String displayName, Role role, long joinedAt) {}

  /// Joins a channel; one who is in it already changes nothing.
  record Join(AccountId caller, RoomId room) implements RoomCommand<RoomView> {}

  record AddMember(AccountId caller, RoomId room, AccountId member)
      implements RoomCommand<MemberView> {}

  record MemberView(Member member) implements BusMessage {}

  /// Removes a member, or leaves when `member` is the caller.
  record RemoveMember(AccountId caller, RoomId room, AccountId member)
      implements RoomCommand<Done> {}

  /// Where the account's rooms stand. At most `limit`, the latest active ones.
  record ReadMemberships(AccountId caller, int limit) implements RoomCommand<Memberships> {}

  /// The same for a session that begins: what `welcome` tells, read together with whether the
  /// sign-in still stands. Refusal: `unauthorized`.
  record BeginSession(Authenticated signIn, int limit) implements RoomCommand<SessionBegin> {}

  /// @param deviceName as it is stored, and so the platform
  record SessionBegin(Memberships memberships, String deviceName, String devicePlatform)
      implements BusMessage {}

  record Memberships(Epoch epoch, List<Membership> rooms, boolean more) implements BusMessage {}

  /// @param seesAll whether all of the room is there for the account to see
  record Membership(RoomId room, Seq seq, Rev rev, boolean seesAll) {}
}
