package io.confab.room;

import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.Created;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes rooms with their first members. A direct room is found or made: of two accounts that make
/// it at the same moment, on whatever nodes, the second waits for the first and gets its room.
public final class RoomCreation {
  private static final int DESCRIPTION_LENGTH = 500;
  private static final Set<ErrorCode> OF_MEMBERS = Set.of(ErrorCode.NOT_FOUND, ErrorCode.BLOCKED);

  private final RoomStore rooms;
  private final InvitationStore invitations;
  private final RoomChanges changes;
  private final int membersPerCall;
  private final RandomGenerator random;

  public RoomCreation(
      RoomStores stores, RoomChanges changes, int membersPerCall, RandomGenerator random) {
    this.rooms = stores.rooms();
    this.invitations = stores.invitations();
    this.changes = changes;
    this.membersPerCall = membersPerCall;
    this.random = random;
  }

  Future<Created> create(CreateRoom command) {
    NewRoom room = check(command);
    return room.type() == RoomType.DIRECT
        ? rooms
            .findDirect(room.creator(), room.members())
            .compose(found -> found.map(RoomCreation::existing).orElseGet(() -> store(room, false)))
        : store(room, command.asks());
  }

  private NewRoom check(CreateRoom command) {
    List<AccountId> others =
        command.members().stream().distinct().filter(m -> !m.equals(command.caller())).toList();
    if (command.members().size() > membersPerCall) {
      throw Refusal.invalidField("members", "at most " + membersPerCall);
    }
    RoomSettings settings = command.settings();
    Long most = settings.maxMembers();
    if (command.type() == RoomType.DIRECT) {
      if (!settings.isEmpty()) {
        throw Refusal.invalidField("type", "a direct room has no name and no settings");
      }
      if (command.members().size() != 1 || others.isEmpty()) {
        throw Refusal.invalidField("members", "exactly one, and somebody else");
      }
    } else {
      checkName(settings.name());
    }
    String description = settings.description();
    if (description != null) {
      TextRules.text("description", description, DESCRIPTION_LENGTH);
    }
    if (most != null && most > 0 && most <= others.size()) {
      throw Refusal.invalidField("max_members", "is less than the first members");
    }
    return new NewRoom(
        command.id() == null ? RoomId.random(random) : command.id(),
        command.type(),
        settings,
        command.caller(),
        Stream.concat(Stream.of(command.caller()), others.stream()).toList());
  }

  private static void checkName(@Nullable String name) {
    if (name == null) {
      throw Refusal.invalidField("name", "is missing");
    }
    TextRules.name("name", name);
  }

  private static Future<Created> existing(Room room) {
    return Future.succeededFuture(new Created(room, false, List.of()));
  }

  /// A direct room that somebody else makes at this moment is found after all.
  private Future<Created> store(NewRoom room, boolean asks) {
    return changes
        .make(RoomCalls.create(room, asks))
        .compose(
            made ->
                rooms
                    .find(room.creator(), room.id())
                    .map(seen -> new Created(seen.orElseThrow().room(), true, made.invitations())))
        .recover(
            failure ->
                isConflict(failure) ? made(room, failure) : Future.failedFuture(named(failure)));
  }

  /// The call may have been made before, and its answer lost.
  private Future<Created> made(NewRoom room, Throwable conflict) {
    return room.type() == RoomType.DIRECT
        ? rooms
            .findDirect(room.creator(), room.members())
            .map(found -> found.orElseThrow(Refusal::noSuchRoom))
            .compose(RoomCreation::existing)
        : rooms
            .find(room.creator(), room.id())
            .compose(
                seen ->
                    seen.map(found -> madeBefore(room, found.room()))
                        .orElseGet(() -> Future.failedFuture(conflict)));
  }

  private Future<Created> madeBefore(NewRoom room, Room found) {
    return invitations
        .askedBy(room.creator(), room.id(), room.members())
        .map(asked -> new Created(found, true, asked));
  }

  /// The only account that may be missing, or have blocked the creator, is one of the members.
  private static Throwable named(Throwable failure) {
    return failure instanceof Refusal refusal && OF_MEMBERS.contains(refusal.code())
        ? new Refusal(refusal.code(), "members", refusal.detail())
        : failure;
  }

  private static boolean isConflict(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() == ErrorCode.CONFLICT;
  }
}
