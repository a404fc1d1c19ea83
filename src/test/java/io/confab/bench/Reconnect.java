package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// All sessions are cut at once, messages are sent meanwhile in every room of a contestant that
/// brings them by itself, and all come back as fast as they are let: what that costs until
/// everybody is live and has what was missed. The floor does bare handshakes.
final class Reconnect implements Part {
  private static final int ROOMS_EACH = 3;
  private static final int MEMBERS = 100;
  private static final int AT_ONCE = 500;
  private static final int FIRST_AT_ONCE = 100;
  private static final int UNUSED_LENGTH = 200;
  private static final double NANOS = 1e9;
  private static final long LOOK_NS = 500_000_000;
  private static final int LOOKS = 60;
  private static final double CALM_CORES = 0.1;

  @Override
  public void run(Setting setting) {
    try (Field field = Field.ofChat(setting.options(), false)) {
      field.with(Floor.NAME, () -> new Floor("", UNUSED_LENGTH));
      Layout layout = Layout.woven(setting.options().sessions(), ROOMS_EACH, MEMBERS);
      List<Cell> cells = new ArrayList<>();
      for (Contestant contestant : field.contestants()) {
        cells.add(new Back(setting.driver(), contestant, layout, contestant.furnish(layout)));
      }
      setting.rounds().run(cells);
    }
  }

  /// One cut and the return of all.
  private record Back(Driver driver, Contestant server, Layout layout, List<Speech> people)
      implements Cell {
    @Override
    public String contestant() {
      return server.name();
    }

    @Override
    public String name() {
      return "%,d sessions come back".formatted(layout.people());
    }

    @Override
    public Measured measure() {
      Missed missed = new Missed(layout);
      remember(true);
      try {
        Crowd.open(driver, server, layout, people, FIRST_AT_ONCE, new Deaf()).close();
        calm();
        missed.send(people);
        calm();
        Processes before = Processes.now();
        try (Crowd _ = Crowd.open(driver, server, layout, people, AT_ONCE, missed)) {
          missed.await();
          return measured(before, Processes.now(), driver.ask(missed::fault), missed.count());
        }
      } finally {
        remember(false);
      }
    }

    private void remember(boolean where) {
      for (Speech person : people) {
        if (person instanceof ConfabSpeech confab) {
          confab.remember(where);
        }
      }
    }

    /// Until it has done with what was before.
    private void calm() {
      for (int look = 0; look < LOOKS; look++) {
        Processes before = Processes.now();
        LockSupport.parkNanos(LOOK_NS);
        if (load(before, Processes.now()).total() / LOOK_NS * 1_000 < CALM_CORES) {
          return;
        }
      }
    }

    private Load load(Processes before, Processes after) {
      return Load.between(before, after, server.roots(), ProcessHandle.current().pid());
    }

    private Measured measured(
        Processes before, Processes after, Optional<String> fault, int brought) {
      Load load = load(before, after);
      Map<String, Double> figures = new LinkedHashMap<>();
      for (Role role : Role.values()) {
        if (load.micros().containsKey(role)) {
          String name = name() + ": " + role.word() + ", µs a session";
          figures.put(name, load.of(role) / layout.people());
        }
      }
      figures.put(name() + ": all of it, µs a session", load.total() / layout.people());
      figures.put(name() + ": s until the last is whole", (after.nanos() - before.nanos()) / NANOS);
      figures.put(name() + ": missed deliveries brought", (double) brought);
      return new Measured(figures, load.foreign(), fault);
    }
  }
}
