package io.confab.room;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.room.MembershipStore.Answer;
import io.confab.room.MembershipStore.Question;
import io.confab.room.MembershipStore.StoredDevice;
import io.confab.room.RoomCommand.AddMember;
import io.confab.room.RoomCommand.BeginSession;
import io.confab.room.RoomCommand.Channels;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.FindChannels;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Join;
import io.confab.room.RoomCommand.ListMembers;
import io.confab.room.RoomCommand.ListRooms;
import io.confab.room.RoomCommand.Members;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.room.RoomCommand.RemoveMember;
import io.confab.room.RoomCommand.RoomView;
import io.confab.room.RoomCommand.Rooms;
import io.confab.room.RoomCommand.SessionBegin;
import io.vertx.core.Future;
import java.util.function.Function;

/// Answers every command about rooms and members. May be used from any event loop.
public final class RoomHandler {
  private final RoomStores stores;
  private final RoomCreation creation;
  private final MemberChanges changes;
  private final Function<Question, Future<Answer>> memberships;

  /// @param memberships many may ask at once, so this should gather them
  ///     ([MembershipStore#read])
  public RoomHandler(
      RoomStores stores,
      RoomCreation creation,
      MemberChanges changes,
      Function<Question, Future<Answer>> memberships) {
    this.stores = stores;
    this.creation = creation;
    this.changes = changes;
    this.memberships = memberships;
  }

  /// The answer that the command's type names, or a refusal.
  public Future<? extends BusMessage> handle(RoomCommand<?> command) {
    try {
      return answer(command);
    } catch (Refusal refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private Future<? extends BusMessage> answer(RoomCommand<?> command) {
    return switch (command) {
      case CreateRoom create -> creation.create(create);
      case ListRooms list -> list(list);
      case GetRoom(var caller, var room) -> see(caller, room).map(RoomView::new);
      case FindChannels find -> find(find);
      case ListMembers list -> list(list);
      case Join(var caller, var room) -> changes.join(caller, room);
      case AddMember(var caller, var room, var member) -> changes.add(caller, room, member);
      case RemoveMember remove -> remove(remove);
      case ReadMemberships(var caller, int limit) ->
          memberships.apply(new Question(caller, limit, null)).map(Answer::memberships);
      case BeginSession(var signIn, int limit) ->
          memberships
              .apply(new Question(signIn.caller().account(), limit, signIn))
              .map(RoomHandler::begin);
    };
  }

  private static SessionBegin begin(Answer answer) {
    StoredDevice device = answer.device();
    if (device == null) {
      throw new Refusal(ErrorCode.UNAUTHORIZED, "the device is signed out");
    }
    return new SessionBegin(answer.memberships(), device.name(), device.platform());
  }

  private Future<Done> remove(RemoveMember command) {
    return command.member().equals(command.caller())
        ? changes.leave(command.caller(), command.room())
        : changes.remove(command.caller(), command.room(), command.member());
  }

  private Future<Room> see(AccountId caller, RoomId room) {
    return demand(RoomRight.SEE_ROOM, caller, room);
  }

  private Future<Room> demand(RoomRight right, AccountId caller, RoomId id) {
    return stores
        .rooms()
        .find(caller, id)
        .map(
            found -> {
              Room room = found.orElseThrow(() -> new Refusal(ErrorCode.NOT_FOUND, "no such room"));
              right.demand(Standing.of(room.type(), room.role()));
              return room;
            });
  }

  private Future<Rooms> list(ListRooms command) {
    return stores
        .rooms()
        .list(command.caller(), command.after(), command.limit() + 1)
        .map(found -> Page.of(found, command.limit(), Room::roomId))
        .map(page -> new Rooms(page.items(), page.next()));
  }

  private Future<Channels> find(FindChannels command) {
    String after = command.after();
    return stores
        .rooms()
        .findChannels(
            ChannelName.key(command.query()), after == null ? "" : after, command.limit() + 1)
        .map(found -> Page.of(found, command.limit(), RoomStore.FoundChannel::key))
        .map(
            page ->
                new Channels(
                    page.items().stream().map(RoomStore.FoundChannel::channel).toList(),
                    page.next()));
  }

  private Future<Members> list(ListMembers command) {
    return demand(RoomRight.SEE_MEMBERS, command.caller(), command.room())
        .compose(room -> stores.members().list(room.roomId(), command.after(), command.limit() + 1))
        .map(found -> Page.of(found, command.limit(), RoomCommand.Member::accountId))
        .map(page -> new Members(page.items(), page.next()));
  }
}
