package io.confab.chaos;

import static org.awaitility.Awaitility.await;

import io.confab.fault.NodeProcess;
import io.confab.ledger.Entry;
import io.confab.protocol.CloseCode;
import io.confab.testing.proxy.TcpProxy;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Looks for effects of a fault, from the time at which it is asked to look.
record Evidence(RunContext world) {
  private static final String REDIS_AWAY = "Redis is away";
  private static final String SOCKETS = "confab_sockets_open";
  private static final Duration CONNECTED_WITHIN = Duration.ofMinutes(1);
  private static final String REDIS_BACK = "Connected to Redis";

  /// Ends that somebody wanted: the client, or who ended its sign-in.
  private static final Set<Integer> CHOSEN =
      Set.of(Entry.BY_ITSELF, CloseCode.REVOKED.code(), CloseCode.SUSPENDED.code());

  /// Clients that lose their connection to a node. One that has just come back may have none yet:
  /// then the first is waited for.
  Supplier<Optional<String>> disconnectedFrom(Machine machine) {
    await()
        .atMost(CONNECTED_WITHIN)
        .until(() -> read(machine.process(), SOCKETS).filter(open -> open > 0).isPresent());
    return entries(
        entry ->
            entry instanceof Entry.Disconnected d
                && d.node().equals(machine.name())
                && !CHOSEN.contains(d.code()),
        "connections lost");
  }

  /// Processes of nodes that run now and have ended.
  static Supplier<Optional<String>> ended(List<Machine> machines) {
    List<NodeProcess> running = machines.stream().map(Machine::process).toList();
    return () -> {
      long ended = running.stream().filter(node -> !node.isAlive()).count();
      return ended == 0 ? Optional.empty() : Optional.of(ended + " nodes ended");
    };
  }

  /// Sends that were refused or whose outcome was unknown.
  Supplier<Optional<String>> unanswered() {
    return entries(
        entry ->
            entry instanceof Entry.Unknown
                || (entry instanceof Entry.Refused no && no.code().equals("unavailable")),
        "sends refused or unknown");
  }

  /// Retries that the server recognised.
  Supplier<Optional<String>> recognised() {
    return entries(
        entry -> entry instanceof Entry.Acked acked && acked.duplicate(), "retries recognised");
  }

  private Supplier<Optional<String>> entries(Predicate<Entry> wanted, String what) {
    int from = world.history().size();
    return () -> {
      long found = world.history().since(from).stream().filter(wanted).count();
      return found == 0 ? Optional.empty() : Optional.of(found + " " + what);
    };
  }

  /// Nodes that lose Redis; or that find it again, where they had not come back from a fault
  /// before.
  Supplier<Optional<String>> awayFromRedis(List<Machine> machines) {
    List<Supplier<Optional<String>>> each =
        machines.stream()
            .filter(Machine::isRunning)
            .map(m -> logged(m, isAway(m) ? REDIS_BACK : REDIS_AWAY))
            .toList();
    return () -> each.stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
  }

  private static boolean isAway(Machine machine) {
    String log = machine.process().output();
    return log.lastIndexOf(REDIS_AWAY) > log.lastIndexOf(REDIS_BACK);
  }

  /// Once more than it had.
  private static Supplier<Optional<String>> logged(Machine machine, String text) {
    NodeProcess process = machine.process();
    long before = count(process.output(), text);
    return () -> {
      if (!process.isAlive()) {
        return Optional.empty();
      }
      long now = count(process.output(), text);
      return now <= before
          ? Optional.empty()
          : Optional.of(machine.name() + " logged '" + text + "'");
    };
  }

  private static long count(String log, String text) {
    return log.lines().filter(line -> line.contains(text)).count();
  }

  /// A meter of any node that rises.
  Supplier<Optional<String>> rises(String meter) {
    List<Supplier<Optional<String>>> each =
        world.machines().stream()
            .filter(Machine::isRunning)
            .map(machine -> rises(machine, meter))
            .toList();
    return () -> each.stream().map(Supplier::get).flatMap(Optional::stream).findFirst();
  }

  static Supplier<Optional<String>> rises(Machine machine, String meter) {
    NodeProcess process = machine.process();
    double before = read(process, meter).orElse(Double.MAX_VALUE);
    return () ->
        read(process, meter)
            .filter(now -> now > before)
            .map(now -> meter + " of " + machine.name() + " rose by " + (long) (now - before));
  }

  /// Empty when the node does not tell.
  private static Optional<Double> read(NodeProcess process, String meter) {
    try {
      return Optional.of(process.meter(meter));
    } catch (UncheckedIOException away) {
      return Optional.empty();
    }
  }

  /// New connections through a way whose old ones were cut. The fault before may have left none:
  /// then the next one is waited for.
  static Supplier<Optional<String>> madeAnew(TcpProxy way, IntSupplier cut) {
    await().atMost(CONNECTED_WITHIN).until(() -> !way.serverSide().isEmpty());
    long before = way.accepted();
    int count = await().until(cut::getAsInt, found -> found > 0);
    return () ->
        way.accepted() == before
            ? Optional.empty()
            : Optional.of(count + " connections cut and made anew");
  }

  /// New connections of any node to PostgreSQL.
  Supplier<Optional<String>> connected() {
    long before = toPostgres();
    return () ->
        toPostgres() == before
            ? Optional.empty()
            : Optional.of(toPostgres() - before + " connections to PostgreSQL made anew");
  }

  private long toPostgres() {
    return world.machines().stream().mapToLong(machine -> machine.postgres().accepted()).sum();
  }

  /// Both have been seen.
  static Supplier<Optional<String>> both(
      Supplier<Optional<String>> one, Supplier<Optional<String>> other) {
    return () -> one.get().flatMap(a -> other.get().map(b -> a + ", " + b));
  }
}
