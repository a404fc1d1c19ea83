package io.confab.bench;

import io.confab.queue.SealedAppendBench;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Sends to sealed rooms beside plain sends of as many people and devices: in direct rooms, at some
/// rates and at half of what each can do at most, and in a group of 200 devices, one by one and ten
/// together. One device of each room speaks. Then what PostgreSQL needs to store them.
final class Sealed implements Part {
  /// Of each account.
  private static final int DEVICES = 2;

  private static final Layout DIRECT = Layout.apart(250, 2 * DEVICES);
  private static final Layout GROUP = Layout.one(200);
  private static final int SPEAKERS = 1;
  private static final List<Integer> RATES = List.of(50, 500);
  private static final List<Integer> GROUPS = List.of(1, 10);
  private static final Pace SATURATED = new Pace.Closed(128);

  @Override
  public void run(Setting setting) {
    try (Field field = new Field(setting.options())) {
      field
          .with(ConfabNode.NAME, () -> ConfabNode.apart(DEVICES))
          .with(ConfabNode.SEALED, () -> ConfabNode.sealed(DEVICES));
      List<Cell> cells = new ArrayList<>();
      double seconds = setting.options().seconds();
      Map<Contestant, List<Speech>> direct = furnish(field, DIRECT);
      for (int rate : RATES) {
        String name = "direct rooms of two devices each, %,d/s".formatted(rate);
        TrafficCell.Shape shape = direct(name, Pace.open(rate), seconds);
        direct.forEach((one, all) -> cells.add(cell(setting, one, DIRECT, all, shape)));
      }
      direct.forEach((one, all) -> cells.add(atHalf(setting, one, all)));
      Map<Contestant, List<Speech>> group = furnish(field, GROUP);
      for (Pace.Open pace : List.of(new Pace.Open(20, 1), new Pace.Open(20, 10))) {
        String name = "a group of 200 devices, 20/s, %d together".formatted(pace.together());
        TrafficCell.Shape shape =
            new TrafficCell.Shape(name, pace, SPEAKERS, seconds, Sealed::figures);
        group.forEach((one, all) -> cells.add(cell(setting, one, GROUP, all, shape)));
      }
      setting.rounds().run(cells);
    }
    if (setting.options().contestants().contains(ConfabNode.SEALED)) {
      store(setting);
    }
  }

  /// What storing alone costs, without acknowledgements.
  private static void store(Setting setting) {
    try (SealedAppendBench log = new SealedAppendBench()) {
      List<Cell> cells = new ArrayList<>();
      for (int sends : GROUPS) {
        cells.add(
            new Append.Calls(
                ConfabNode.SEALED,
                "storing %d to 199 devices a call".formatted(sends),
                sends * SealedAppendBench.TARGETS,
                rows -> log.append(rows / SealedAppendBench.TARGETS),
                log.pid(),
                setting.options().seconds()));
      }
      setting.rounds().run(cells.stream().<Cell>map(cell -> new Emptied(log, cell)).toList());
    }
  }

  /// A cell that begins with empty queues.
  private record Emptied(SealedAppendBench log, Cell cell) implements Cell {
    @Override
    public String contestant() {
      return cell.contestant();
    }

    @Override
    public String name() {
      return cell.name();
    }

    @Override
    public Measured measure() {
      log.empty();
      return cell.measure();
    }
  }

  private static Map<Contestant, List<Speech>> furnish(Field field, Layout layout) {
    Map<Contestant, List<Speech>> people = new LinkedHashMap<>();
    field.contestants().forEach(one -> people.put(one, one.furnish(layout)));
    return people;
  }

  private static TrafficCell.Shape direct(String name, Pace pace, double seconds) {
    return new TrafficCell.Shape(name, pace, SPEAKERS, seconds, Sends::figures);
  }

  private static TrafficCell cell(
      Setting setting,
      Contestant contestant,
      Layout layout,
      List<Speech> people,
      TrafficCell.Shape shape) {
    return new TrafficCell(setting.driver(), contestant, layout, people, shape);
  }

  /// Finds out what it can do, first without a warm compiler.
  private static Cell atHalf(Setting setting, Contestant contestant, List<Speech> people) {
    double seconds = setting.options().seconds();
    String saturated = "to find its saturation";
    TrafficCell most =
        cell(setting, contestant, DIRECT, people, direct(saturated, SATURATED, seconds));
    most.measure();
    double rate = most.measure().figures().getOrDefault(saturated + ": sends/s", 0.0) / 2;
    String name = "direct rooms of two devices each, half of own saturation";
    return cell(setting, contestant, DIRECT, people, direct(name, Pace.open(rate), seconds));
  }

  private static Map<String, Double> figures(
      String name, Outcome outcome, Load load, OptionalLong allocated) {
    Map<String, Double> figures =
        new LinkedHashMap<>(Sends.figures(name, outcome, load, allocated));
    double targets = (double) outcome.sent() * SealedAppendBench.TARGETS;
    figures.put(name + ": PostgreSQL, µs a target", load.of(Role.POSTGRES) / targets);
    figures.put(name + ": all of it, µs a target", load.total() / targets);
    return figures;
  }
}
