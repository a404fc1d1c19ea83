package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.ChangeCounts;
import io.confab.account.AccountCommand.CountChanges;
import io.confab.account.AccountCommand.Ended;
import io.confab.account.AccountCommand.FindEnded;
import io.confab.account.ChangeCount;
import io.confab.account.FamilyId;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.BearerCommand;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.config.Config;
import io.confab.config.MemoryShares;
import io.confab.feed.AccountSignal;
import io.confab.feed.DigestLog;
import io.confab.feed.FakeBroker;
import io.confab.feed.FakeRecent;
import io.confab.feed.FeedHub;
import io.confab.metrics.Meters;
import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Fence;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand.BeginSession;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.room.RoomCommand.SessionBegin;
import io.confab.testing.TestConfig;
import io.confab.testing.TestLimits;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A loop of sessions of 2,500 accounts, two each, and what they ask of the database when signals
/// may have been missed.
class AccountComparisonTest {
  private static final int ACCOUNTS = 2_500;
  private static final Memberships NONE = new Memberships(FakeRooms.EPOCH, List.of(), false);

  private final Map<AccountId, Long> changes = new HashMap<>();
  private final List<CountChanges> counted = new ArrayList<>();
  private final List<AccountId> read = new ArrayList<>();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean stopped;
  private boolean away;
  private long now;
  private SocketLoop loop;
  private SocketServices services;

  @BeforeEach
  void open() {
    Config config = TestConfig.node(Path.of("unused"));
    FakeBroker broker = new FakeBroker();
    broker.hears = true;
    FeedHub hub =
        new FeedHub(
            broker, new FakeRecent(), FakeBroker::sealed, new DigestLog(), new DatabaseEpoch());
    Meters meters = new Meters();
    Database bus = new Database();
    loop =
        SocketLoop.open(
            this::run,
            hub,
            bus,
            new FakeRooms(),
            meters,
            () -> now,
            new MemoryShares(16 << 20, 16 << 20));
    services =
        SocketServices.of(
            new NodeId("a"),
            config,
            bus,
            loop,
            SimulatedLoop.Unregistered.SESSIONS,
            meters,
            InstantSource.system(),
            TestLimits.limits(config, () -> now));
    for (int i = 1; i <= ACCOUNTS; i++) {
      hello(i, "phone");
      hello(i, "desk");
    }
  }

  private void run(Runnable task) {
    if (stopped) {
      waiting.add(task);
    } else {
      task.run();
    }
  }

  private void hello(int account, String device) {
    Session session =
        new Session(
            new SessionId(device + account),
            services,
            new FakeOutbound(),
            "address",
            Optional.empty());
    session.text("{\"type\":\"hello\",\"token\":\"" + account + "/" + device + "\"}");
    assertThat(session.isGreeted()).isTrue();
  }

  /// Answers at once.
  private final class Database implements Requests {
    @Override
    @SuppressWarnings("unchecked") // each command gets its answer
    public <R extends BusMessage> Future<R> request(Command<R> command) {
      if (command instanceof GetRoom) {
        return Future.failedFuture(Refusal.noSuchRoom());
      }
      return away
          ? Future.failedFuture(Refusal.unavailable("the database is away"))
          : (Future<R>) Future.succeededFuture(answer(command));
    }

    private BusMessage answer(Command<?> command) {
      return switch (command) {
        case BearerCommand.Read(var token) -> {
          String[] parts = token.value().split("/", 2);
          yield new Bearer.OnDevice(
              new Authenticated(
                  new Caller(new AccountId(Long.parseLong(parts[0])), new DeviceId(parts[1])),
                  new FamilyId(new UUID(1, 1))));
        }
        case BeginSession _ ->
            new SessionBegin(
                NONE, new ChangeCount(0), new Fence(FakeRooms.EPOCH, 1), "device", "test");
        case CountChanges count -> {
          counted.add(count);
          yield new ChangeCounts(
              count.accounts().stream()
                  .collect(
                      Collectors.toMap(
                          Function.identity(),
                          account -> new ChangeCount(changes.getOrDefault(account, 0L)))));
        }
        case ReadMemberships(var account, _) -> {
          read.add(account);
          yield NONE;
        }
        case FindEnded _ -> new Ended(List.of(), List.of());
        default -> throw new IllegalStateException("nobody serves " + command);
      };
    }
  }

  @Test
  void ofAccountsThatDidNotChangeOnlyTheirNumbersAreRead() {
    assertThat(loop.accounts().compareAll().succeeded()).isTrue();
    assertThat(counted).hasSize(3).allMatch(count -> count.accounts().size() <= 1_000);
    assertThat(counted.stream().flatMap(count -> count.accounts().stream()))
        .hasSize(ACCOUNTS)
        .doesNotHaveDuplicates();
    assertThat(read).isEmpty();
  }

  @Test
  void theSessionsOfAnAccountThatChangedAreComparedOnce() {
    AccountId changed = new AccountId(1_700);
    changes.put(changed, 1L);
    loop.accounts().compareAll();
    assertThat(read).containsExactly(changed, changed);
    loop.accounts().compareAll();
    assertThat(read).hasSize(2);
    changes.put(changed, 2L);
    loop.accounts().compare(changed);
    assertThat(read).hasSize(4);
  }

  @Test
  void signalsThatWaitForTheLoopAreBoundedAndALostOneMakesAllCompareOnce() {
    stopped = true;
    for (int i = 0; i < 100_000; i++) {
      loop.accounts().signal(new AccountSignal.Added(new AccountId(1), new RoomId(i)));
    }
    assertThat(waiting).hasSizeLessThan(10_000);
    stopped = false;
    waiting.forEach(Runnable::run);
    assertThat(counted.stream().flatMap(count -> count.accounts().stream()).distinct())
        .hasSize(ACCOUNTS);
  }

  @Test
  void howeverManyMissedSomethingWhileTheDatabaseIsAwayOneQuestionIsTriedAgain() {
    away = true;
    for (int i = 1; i <= ACCOUNTS; i++) {
      loop.accounts().compare(new AccountId(i));
    }
    away = false;
    changes.put(new AccountId(7), 1L);
    for (int i = 0; i < 300; i++) { // three seconds of the wheel
      now += SocketLoop.TICK.toNanos();
      loop.wheel().advance();
    }
    assertThat(counted).hasSize(3);
    assertThat(read).containsExactly(new AccountId(7), new AccountId(7));
  }
}
