package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// From the command to the first answer, with data that is there.
final class Start implements Part {
  private static final double NANOS = 1e9;
  private static final double MICROS_PER_SECOND = 1e6;

  @Override
  public void run(Setting setting) {
    try (Field field = Field.ofChat(setting.options(), true)) {
      Layout layout = Layout.pairs(Sends.ROOMS);
      List<Cell> cells = new ArrayList<>();
      for (Contestant contestant : field.contestants()) {
        if (contestant instanceof Startable server) {
          TrafficCell.Shape some =
              Sends.shape("data to start with", Pace.open(500), setting.options().seconds());
          List<Speech> people = server.furnish(layout);
          new TrafficCell(setting.driver(), server, layout, people, some).measure();
          cells.add(new Again(server));
        }
      }
      setting.rounds().run(cells);
    }
  }

  private record Again(Startable server) implements Cell {
    @Override
    public String contestant() {
      return server.name();
    }

    @Override
    public String name() {
      return "a start with data";
    }

    @Override
    public Measured measure() {
      server.stop();
      Processes before = Processes.now();
      server.start();
      server.ask();
      Processes after = Processes.now();
      Load load = Load.between(before, after, server.roots(), ProcessHandle.current().pid());
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(name() + ": s", (after.nanos() - before.nanos()) / NANOS);
      figures.put(name() + ": s of CPU", load.total() / MICROS_PER_SECOND);
      return new Measured(figures, load.foreign(), Optional.empty());
    }
  }
}
