package io.confab.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.PATCH;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.limit.Limits;
import io.confab.protocol.AccountId;
import io.confab.protocol.Fields;
import io.confab.protocol.Refusal;
import io.confab.protocol.Role;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.TextRules;
import io.confab.room.RoomCommand;
import io.confab.room.RoomCommand.Created;
import io.confab.room.RoomCommand.ListedRoom;
import io.confab.room.RoomCommand.Rooms;
import io.confab.seat.SeatCommand;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rooms and their members.
final class RoomRoutes {
  private final Bus bus;
  private final Limits limits;
  private final KeyedCalls keyed;
  private final RoomFields roomFields;

  RoomRoutes(Bus bus, Limits limits, KeyedCalls keyed, int membersPerCall) {
    this.bus = bus;
    this.limits = limits;
    this.keyed = keyed;
    this.roomFields = new RoomFields(membersPerCall);
  }

  void mount(Routes routes) {
    routes.signedIn(GET, "/v1/rooms?after=&limit=", Limit.READS, this::list);
    routes.signedIn(POST, "/v1/rooms", Limit.ROOMS, keyed.once(this::create));
    routes.signedIn(GET, "/v1/rooms/:room_id", Limit.READS, this::get);
    routes.signedIn(PATCH, "/v1/rooms/:room_id", Limit.MEMBERS, this::change);
    routes.signedIn(DELETE, "/v1/rooms/:room_id", Limit.MEMBERS, this::archive);
    routes.signedIn(GET, "/v1/channels?query=&after=&limit=", Limit.READS, this::findChannels);
    routes.signedIn(
        GET, "/v1/rooms/:room_id/members?after=&limit=", Limit.READS, this::listMembers);
    routes.signedIn(
        POST, "/v1/rooms/:room_id/members", Limit.MEMBERS, keyed.once(this::addMembers));
    routes.signedIn(PUT, "/v1/rooms/:room_id/members/:account_id", Limit.MEMBERS, this::addMember);
    routes.signedIn(
        DELETE, "/v1/rooms/:room_id/members/:account_id", Limit.MEMBERS, this::removeMember);
    routes.signedIn(POST, "/v1/rooms/:room_id/join", Limit.JOINS, this::join);
  }

  private Future<Answer> list(AccountId caller, Call call) {
    RoomId after = call.query().after(RoomId::parse);
    return bus.request(new RoomCommand.ListRooms(caller, after, call.query().limit()))
        .compose(rooms -> shown(caller, rooms))
        .map(Answer::ok);
  }

  /// Without the last messages of rooms that are read inside only, where the caller is not.
  private Future<Rooms> shown(AccountId caller, Rooms listed) {
    List<RoomId> asked =
        listed.rooms().stream()
            .filter(RoomRoutes::isForThoseInside)
            .map(each -> each.room().roomId())
            .toList();
    return asked.isEmpty()
        ? Future.succeededFuture(listed)
        : bus.request(new SeatCommand.FindInside(caller, asked))
            .map(SeatCommand.InsideOf::rooms)
            .otherwise(List.of())
            .map(inside -> shown(listed, Set.copyOf(inside)));
  }

  private static Rooms shown(Rooms listed, Set<RoomId> inside) {
    return new Rooms(
        listed.rooms().stream()
            .map(
                each ->
                    isForThoseInside(each) && !inside.contains(each.room().roomId())
                        ? each.withoutMessage()
                        : each)
            .toList(),
        listed.next());
  }

  private static boolean isForThoseInside(ListedRoom listed) {
    return listed.lastMessage() != null && listed.room().isReadInsideOnly();
  }

  private Future<Answer> create(AccountId caller, Call call) {
    return bus.request(
            roomFields.read(
                caller,
                call.body(),
                !CallerAuthentication.isByKey(call.context()),
                KeyedCalls.room(call)))
        .map(made -> Answer.made(made.created(), new MadeRoom(made.room(), invited(made))));
  }

  /// A room, and who was asked instead of being made a member.
  record MadeRoom(@JsonUnwrapped Room room, @Nullable List<AccountId> invited) {}

  private static @Nullable List<AccountId> invited(Created made) {
    return made.invited().isEmpty() ? null : made.invited();
  }

  /// An account that was asked instead of being made a member.
  record Asked(AccountId accountId, boolean invited) {}

  private Future<Answer> get(AccountId caller, Call call) {
    RoomId room = call.room();
    return bus.request(new RoomCommand.GetRoom(caller, room))
        .map(view -> Preconditions.answer(call, view.tag(), view.room()));
  }

  private Future<Answer> change(AccountId caller, Call call) {
    RoomId room = call.room();
    RoomSettings settings = RoomFields.changes(call.body());
    return bus.request(new RoomCommand.ChangeRoom(caller, room, settings, Preconditions.seen(call)))
        .onSuccess(
            _ -> {
              if (settings.capacity() != null) {
                // who waits goes in, or hears of the end, at once, and not only when somebody looks
                bus.request(new SeatCommand.Refresh(room, List.of()));
              }
            })
        .map(view -> Answer.tagged(view.tag(), view.room()));
  }

  private Future<Answer> archive(AccountId caller, Call call) {
    RoomId room = call.room();
    call.requireNoFields();
    return bus.request(new RoomCommand.ArchiveRoom(caller, room)).map(_ -> Answer.noContent());
  }

  private Future<Answer> findChannels(AccountId caller, Call call) {
    String query = call.query().text("query");
    String after = call.query().text("after");
    var command =
        new RoomCommand.FindChannels(
            caller,
            query == null || query.isEmpty() ? "" : TextRules.name("query", query),
            after == null ? null : TextRules.name("after", after),
            call.query().limit());
    return bus.request(command).map(Answer::ok);
  }

  private Future<Answer> listMembers(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId after = call.query().after(AccountId::parse);
    return bus.request(new RoomCommand.ListMembers(caller, room, after, call.query().limit()))
        .map(Answer::ok);
  }

  private Future<Answer> addMember(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId member = call.account();
    Fields fields = call.optionalBody();
    Role role = fields.optionalChoice("role", Role.class);
    fields.end();
    boolean asks = !CallerAuthentication.isByKey(call.context());
    return bus.request(new RoomCommand.AddMember(caller, room, member, role, asks))
        .map(
            made ->
                made.member() == null
                    ? Answer.accepted(new Asked(member, true))
                    : Answer.ok(made.member()));
  }

  /// Counts as one call for each account, also beyond the limit: the next ones wait, also those
  /// that were let in before their bodies came. So each is let in once more, by the one call that
  /// it has counted as so far.
  private Future<Answer> addMembers(AccountId caller, Call call) {
    RoomId room = call.room();
    Fields fields = call.body();
    if (!fields.has("accounts")) {
      throw Refusal.invalidField("accounts", "is missing");
    }
    List<AccountId> accounts = roomFields.accounts(fields, "accounts");
    fields.end();
    limits.giveBack(Limit.MEMBERS, caller.toString());
    limits.check(Limit.MEMBERS, caller.toString());
    limits.count(Limit.MEMBERS, caller.toString(), Math.max(1, accounts.size()));
    boolean asks = !CallerAuthentication.isByKey(call.context());
    return bus.request(new RoomCommand.AddMembers(caller, room, accounts, asks)).map(Answer::ok);
  }

  private Future<Answer> removeMember(AccountId caller, Call call) {
    RoomId room = call.room();
    AccountId member = call.account(caller);
    call.requireNoFields();
    return bus.request(new RoomCommand.RemoveMember(caller, room, member))
        .map(_ -> Answer.noContent());
  }

  private Future<Answer> join(AccountId caller, Call call) {
    RoomId room = call.room();
    call.requireNoFields();
    return bus.request(new RoomCommand.Join(caller, room)).map(view -> Answer.ok(view.room()));
  }
}
