package io.confab.room;

import io.confab.account.AccountLifecycle;
import io.confab.bus.BusMessage;
import io.confab.postgres.Database;
import io.confab.postgres.PostgresUrl;
import io.confab.protocol.AccountId;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.MembershipStore.Answer;
import io.confab.room.MembershipStore.Question;
import io.confab.testing.Futures;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The rooms of one node on a database, wired as a node wires them.
public final class RoomNode implements AutoCloseable {
  public final RecordingAnnouncer announcer = new RecordingAnnouncer();

  /// Of which rooms with a capacity it was said that members, or all of them, went.
  public final List<RoomId> departures = new CopyOnWriteArrayList<>();

  private final Database database;
  private final AccountLifecycle.Memberships ends;
  private final RoomHandler handler;
  private final MembershipStore memberships;

  public RoomNode(Vertx vertx, PostgresUrl url) {
    database = new Database(vertx, url, TestConfig.postgres());
    RoomStores stores = RoomStores.of(database);
    RoomChanges changes =
        new RoomChanges(
            database,
            announcer,
            (room, _) -> departures.add(room),
            Timing.of(vertx),
            TestConfig.postgres());
    memberships = new MembershipStore(database);
    ends = RoomDomain.memberships(database, changes);
    handler =
        new RoomHandler(
            stores,
            new RoomCreation(
                stores, changes, TestConfig.limits().membersPerCall(), new SecureRandom()),
            new RoomActions(stores, changes, new SecureRandom()),
            question -> memberships.read(List.of(question)).map(all -> all.get(question)));
  }

  @SuppressWarnings("unchecked") // the command names the type of its answer
  public <R extends BusMessage> Future<R> ask(RoomCommand<R> command) {
    return (Future<R>) handler.handle(command);
  }

  public <R extends BusMessage> R get(RoomCommand<R> command) {
    return Futures.get(ask(command));
  }

  Room create(AccountId caller, RoomType type, @Nullable String name, List<AccountId> members) {
    return get(new RoomCommand.CreateRoom(caller, type, RoomSettings.named(name), members)).room();
  }

  void endMemberships(AccountId account) {
    Futures.get(ends.end(account));
  }

  Map<Question, Answer> memberships(List<Question> questions) {
    return Futures.get(memberships.read(questions));
  }

  @Override
  public void close() {
    Futures.get(database.close());
  }
}
