package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.ledger.Entry;
import io.confab.ledger.FinalMarks;
import io.confab.ledger.FinalPresence;
import io.confab.ledger.FinalRead;
import io.confab.ledger.History;
import io.confab.ledger.Invariants;
import io.confab.ledger.Membership;
import io.confab.ledger.Violation;
import io.confab.postgres.PostgresUrl;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Servers, nodes and a fleet, set up for a run and taken down after it, also when this JVM is
/// stopped.
final class Stage implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration QUIET_WITHIN = Duration.ofMinutes(2);
  private static final Duration KNOWN_WITHIN = Duration.ofMinutes(2);

  /// Of what all devices say, as each of it goes to many.
  private static final double SEALED_PART = 0.04;

  /// By which a backend suspends accounts.
  static final String API_KEY = "an-api-key-that-is-only-for-tests-0123456789";

  private final Vertx vertx = Vertx.vertx();
  private final Plan plan;
  private final Servers servers;
  private final RunContext world;
  private final Fleet fleet;
  private final SealedFleet sealed;
  private final boolean comeAndGo;

  private Stage(Plan plan, Servers servers, boolean comeAndGo) {
    this.plan = plan;
    this.comeAndGo = comeAndGo;
    this.servers = servers;
    Runtime.getRuntime().addShutdownHook(new Thread(servers::close));
    List<Machine> machines =
        Machine.cluster(
            plan.folder(),
            plan.nodes(),
            servers,
            Map.of(
                "CONFAB_LIMITS_RESUME_EVENTS_PER_ROOM",
                "100000",
                "CONFAB_LIMITS_RESUME_EVENTS_PER_SESSION",
                "1000000"));
    History history = History.toFile(System::nanoTime, plan.folder().resolve("history.jsonl"));
    this.world = RunContext.of(history, System::nanoTime, machines);
    CompletableFuture.allOf(
            machines.stream()
                .map(m -> CompletableFuture.runAsync(m::start, Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new))
        .join();
    this.fleet = Fleet.make(vertx, world, plan.size(), comeAndGo, plan.seed());
    this.sealed =
        SealedFleet.make(
            world,
            fleet.means(),
            plan.size().sealed(),
            plan.size().perSecond() * SEALED_PART,
            plan.seed());
  }

  static Stage set(Plan plan) {
    return new Stage(plan, Servers.start(), false);
  }

  /// Of a fleet whose accounts lose rooms and sign-ins.
  static Stage setForComingAndGoing(Plan plan) {
    return new Stage(plan, Servers.start(), true);
  }

  /// With PostgreSQL on a disk that may become full.
  static Stage setOn(SmallDisk disk, Plan plan) {
    return new Stage(plan, Servers.startOn(disk.folder("postgres")), false);
  }

  RunContext world() {
    return world;
  }

  Servers servers() {
    return servers;
  }

  Fleet fleet() {
    return fleet;
  }

  /// The devices of sealed rooms.
  SealedFleet sealed() {
    return sealed;
  }

  /// Connects the fleet; answers when everybody gets everything and talks.
  void open() {
    fleet.open();
    sealed.open();
    await("the fleet is connected")
        .atMost(START_LIMIT)
        .until(() -> fleet.allLive() && sealed.allLive());
    world.accepting().set(true);
  }

  /// Nobody says anything new; answers when all that was said is acknowledged and everybody has it.
  Map<String, Long> calm() {
    world.accepting().set(false);
    quiet("what was begun is acknowledged", () -> fleet.unsaid() + sealed.unsaid() == 0);
    Map<String, Long> revs = new HashMap<>();
    readAll().forEach(read -> revs.put(read.room(), read.rev()));
    quiet("everybody has everything", () -> fleet.have(revs) && sealed.have(revs));
    return revs;
  }

  /// Lets everybody finish, reads everything, and checks.
  RunResult finish() {
    calm();
    if (comeAndGo) {
      fleet.devices().forEach(this::showsItsRooms);
    }
    FinalMarks marks =
        found("everybody knows what was received and read", this::marks, FinalMarks::isKnown);
    FinalPresence presence =
        found("everybody knows who is there", this::presence, FinalPresence::isKnown);
    quiet("every queue is empty", () -> sealed.haveAcknowledged(SealedReads.queues(postgres())));
    List<FinalRead> reads = new ArrayList<>(readAll());
    fleet.devices().forEach(Device::close);
    sealed.close();
    int port = world.machines().getFirst().port();
    SealedReads queues = new SealedReads(reads);
    sealed.ask(queues, port);
    fleet.owners().forEach((room, member) -> reads.add(FinalReads.history(member.at(port), room)));
    List<Entry> entries = world.history().entries();
    List<Membership> members =
        rooms().flatMap(room -> FinalReads.members(postgres(), room).stream()).toList();
    return RunResult.of(
        plan.seed(),
        Invariants.check(entries, reads, members, marks, presence, queues.read(postgres())),
        world);
  }

  private FinalPresence presence() {
    return fleet.presence(FinalReads.members(postgres()));
  }

  private FinalMarks marks() {
    return FinalReads.marks(postgres(), fleet.marks());
  }

  /// Its client must know just the rooms that the account is in; what nobody waited for may have
  /// changed these a moment ago.
  private void showsItsRooms(Device device) {
    String account = device.ask(Device::person).accountId();
    try {
      await()
          .atMost(KNOWN_WITHIN)
          .until(() -> rooms(account).equals(Set.copyOf(device.ask(Device::rooms))));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      world
          .anomalies()
          .add(
              device.name()
                  + " shows "
                  + device.ask(Device::rooms)
                  + " and is in "
                  + rooms(account));
    }
  }

  private Set<String> rooms(String account) {
    return FinalReads.rooms(postgres(), account);
  }

  /// What does not hold of all so far; to be asked while it is calm.
  List<Violation> violations() {
    List<FinalRead> reads = readAll();
    return Invariants.check(world.history().entries(), reads);
  }

  private List<FinalRead> readAll() {
    return rooms().map(room -> FinalReads.sql(postgres(), room)).toList();
  }

  private Stream<String> rooms() {
    return Stream.concat(fleet.allRooms().stream(), sealed.rooms().stream());
  }

  private PostgresUrl postgres() {
    return servers.postgres().url();
  }

  /// What does not happen in time is told, and the checks go on to say what is missing.
  private void quiet(String what, java.util.concurrent.Callable<Boolean> condition) {
    try {
      await(what).atMost(QUIET_WITHIN).until(condition);
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      world.anomalies().add("not within " + QUIET_WITHIN + ": " + what);
    }
  }

  /// As it was when it was as wanted, and may not be any more: connections come and go. What is not
  /// so in time is told, and answered as it is.
  private <T> T found(String what, Supplier<T> find, Predicate<T> wanted) {
    try {
      return await(what).atMost(QUIET_WITHIN).until(find::get, wanted);
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      world.anomalies().add("not within " + QUIET_WITHIN + ": " + what);
      return find.get();
    }
  }

  @Override
  public void close() {
    sealed.close();
    fleet.close();
    world.machines().forEach(Machine::close);
    servers.close();
    world.history().close();
    vertx.close().await();
  }
}
