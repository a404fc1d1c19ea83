package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// What people cost who are there and say nothing, each in five rooms: memory by the slope from few
/// to many, processor time, and the same of a server on which nobody is. Each cell begins with a
/// new server, because heaps hardly shrink.
final class Idle implements Part {
  private static final int MOST = 8_000;
  private static final int SLOPE = 8;
  private static final int ROOMS_EACH = 5;
  private static final int MEMBERS = 100;
  private static final int AT_ONCE = 100;
  private static final double MB = 1_024;
  private static final double MICROS_PER_MILLI = 1_000;
  private static final int ECHO_LENGTH = 200;

  @Override
  public void run(Setting setting) {
    List<Cell> cells = new ArrayList<>();
    Map<String, Supplier<Contestant>> field = new LinkedHashMap<>();
    field.put(Floor.NAME, () -> new Floor("", ECHO_LENGTH));
    field.putAll(Field.chat(setting.options(), true));
    field.forEach(
        (name, contestant) -> {
          if (setting.options().contestants().contains(name)) {
            cells.add(new Sessions(setting, name, contestant));
          }
        });
    setting.rounds().runCold(cells);
  }

  /// All that is measured of one contestant.
  private record Sessions(Setting setting, String contestant, Supplier<Contestant> begin)
      implements Cell {
    @Override
    public String name() {
      return "idle";
    }

    @Override
    public Measured measure() {
      int many = Math.min(MOST, setting.options().sessions());
      Layout layout = Layout.woven(many, ROOMS_EACH, MEMBERS);
      Map<String, Double> figures = new LinkedHashMap<>();
      try (Contestant server = begin.get()) {
        double foreign = quiet(server).foreign();
        Memory alone = Memory.of(server);
        List<Speech> people = server.furnish(layout);
        Memory few = with(server, layout.first(many / SLOPE), people).memory();
        State most = with(server, layout, people);
        Load after = quiet(server);
        figures.put(
            name() + ": a session in five rooms, PSS of the server, kB",
            (most.memory().of(Role.SERVER) - few.of(Role.SERVER)) / (double) (many - many / SLOPE));
        figures.put(
            name() + ": PSS of the server with all sessions, MB",
            most.memory().of(Role.SERVER) / MB);
        figures.put(name() + ": PSS of all, just started, MB", alone.total() / MB);
        figures.put(name() + ": all sessions, ms of CPU a second", perSecond(most.load()));
        figures.put(name() + ": nobody there any more, ms of CPU a second", perSecond(after));
        return new Measured(
            figures,
            Math.max(foreign, Math.max(most.load().foreign(), after.foreign())),
            most.fault());
      }
    }

    private record State(Memory memory, Load load, Optional<String> fault) {}

    private State with(Contestant server, Layout layout, List<Speech> people) {
      Deaf deaf = new Deaf();
      try (Crowd _ = Crowd.open(setting.driver(), server, layout, people, AT_ONCE, deaf)) {
        quiet(server); // what connecting left to be done
        Load load = quiet(server);
        return new State(Memory.of(server), load, deaf.fault());
      }
    }

    /// What it uses while nothing happens.
    private Load quiet(Contestant server) {
      Processes before = Processes.now();
      LockSupport.parkNanos((long) (setting.options().seconds() * TimeUnit.SECONDS.toNanos(1)));
      return Load.between(before, Processes.now(), server.roots(), ProcessHandle.current().pid());
    }

    private double perSecond(Load load) {
      return load.total() / MICROS_PER_MILLI / setting.options().seconds();
    }
  }
}
