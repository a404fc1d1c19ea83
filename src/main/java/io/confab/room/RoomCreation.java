package io.confab.room;

import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.protocol.Seq;
import io.confab.protocol.TextRules;
import io.confab.room.RoomChangeStore.Position;
import io.confab.room.RoomCommand.CreateRoom;
import io.confab.room.RoomCommand.Created;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes rooms with their first members. A direct room is found or made: of two accounts that make
/// it at the same moment, on whatever nodes, the second waits for the first and gets its room.
public final class RoomCreation {
  private static final int DESCRIPTION_LENGTH = 500;

  private final Database database;
  private final RoomStores stores;
  private final AnnouncedTransactions transactions;
  private final int membersPerCall;
  private final RandomGenerator random;

  public RoomCreation(
      Database database,
      RoomStores stores,
      AnnouncedTransactions transactions,
      int membersPerCall,
      RandomGenerator random) {
    this.database = database;
    this.stores = stores;
    this.transactions = transactions;
    this.membersPerCall = membersPerCall;
    this.random = random;
  }

  Future<Created> create(CreateRoom command) {
    NewRoom room = check(command);
    return room.type() == RoomType.DIRECT
        ? stores
            .rooms()
            .findDirect(database.client(), room.creator(), room.members())
            .compose(found -> found.map(RoomCreation::existing).orElseGet(() -> store(room)))
        : store(room);
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
        RoomId.random(random),
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
    return Future.succeededFuture(new Created(room, false));
  }

  private Future<Created> store(NewRoom room) {
    return transactions.run(
        transaction ->
            stores
                .members()
                .holdAccounts(transaction, room.members())
                .compose(
                    known ->
                        known == room.members().size()
                            ? stores.rooms().insert(transaction, room)
                            : Future.failedFuture(
                                new Refusal(ErrorCode.NOT_FOUND, "members", "no such account")))
                .compose(
                    inserted -> inserted ? fill(transaction, room) : existing(transaction, room)));
  }

  private Future<Outcome<Created>> fill(SqlClient transaction, NewRoom room) {
    Position start = new Position(room.id(), Seq.ZERO, Rev.ZERO, false);
    return stores
        .changes()
        .append(transaction, start, room.creator(), room.firstChanges())
        .compose(
            changes ->
                stores
                    .members()
                    .insertFirst(transaction, room)
                    .compose(
                        _ ->
                            room.type() == RoomType.DIRECT
                                ? stores.rooms().lookAtBlocks(transaction, room)
                                : Future.succeededFuture())
                    .compose(_ -> stores.rooms().find(transaction, room.creator(), room.id()))
                    .map(seen -> seen.orElseThrow().room())
                    .map(
                        view ->
                            NumberedChange.outcome(new Created(view, true), changes, added(room))));
  }

  private Future<Outcome<Created>> existing(SqlClient transaction, NewRoom room) {
    if (room.type() != RoomType.DIRECT) {
      return Future.failedFuture(
          new Refusal(ErrorCode.CONFLICT, "name", "a channel has this name"));
    }
    return stores
        .rooms()
        .findDirect(transaction, room.creator(), room.members())
        .map(Optional::orElseThrow)
        .map(view -> Outcome.quiet(new Created(view, false)));
  }

  private static List<AccountSignal> added(NewRoom room) {
    return room.members().stream()
        .<AccountSignal>map(member -> new AccountSignal.Added(member, room.id()))
        .toList();
  }
}
