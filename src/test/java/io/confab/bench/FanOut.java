package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// One room of a thousand in which a few speak: what each delivery costs the server. The floor's
/// frames are as long as Confab's.
final class FanOut implements Part {
  private static final int MEMBERS = 1_000;
  private static final int SENDERS = 4;
  private static final int TOGETHER = 8;
  private static final int USUAL_FRAME = 300;

  @Override
  public void run(Setting setting) {
    try (Field field = Field.ofChat(setting.options(), false)) {
      int length =
          field.contestants().stream()
              .filter(one -> one.name().equals(ConfabNode.NAME))
              .findAny()
              .map(confab -> frameLength(setting.driver(), confab))
              .orElse(USUAL_FRAME);
      field.with(Floor.NAME, () -> new Floor("", length));
      Layout layout = Layout.one(MEMBERS);
      Map<Contestant, List<Speech>> people = new LinkedHashMap<>();
      field.contestants().forEach(one -> people.put(one, one.furnish(layout)));
      List<Cell> cells = new ArrayList<>();
      for (TrafficCell.Shape shape : shapes(setting.options().seconds())) {
        people.forEach(
            (contestant, all) ->
                cells.add(new TrafficCell(setting.driver(), contestant, layout, all, shape)));
      }
      setting.rounds().run(cells);
    }
  }

  /// How many bytes somebody gets for a message of somebody else.
  private static int frameLength(Driver driver, Contestant contestant) {
    Layout layout = Layout.one(2);
    Ears deaf = new Deaf();
    try (Crowd crowd =
        Crowd.open(driver, contestant, layout, contestant.furnish(layout), 2, deaf)) {
      Line listener = crowd.line(1);
      long before = driver.ask(listener::bytes);
      Outcome outcome = new Traffic(crowd, Pace.open(10), 1, contestant.echoes(), 0).run(1);
      return Math.toIntExact((driver.ask(listener::bytes) - before) / outcome.sent());
    }
  }

  private static List<TrafficCell.Shape> shapes(double seconds) {
    return List.of(
        shape("room of 1,000, 20/s", Pace.open(20), seconds),
        shape("room of 1,000, 80/s", Pace.open(80), seconds),
        shape("room of 1,000, 5 bursts of 8 a second", new Pace.Open(40, TOGETHER), seconds));
  }

  private static TrafficCell.Shape shape(String name, Pace pace, double seconds) {
    return new TrafficCell.Shape(name, pace, SENDERS, seconds, FanOut::figures);
  }

  private static Map<String, Double> figures(
      String name, Outcome outcome, Load load, OptionalLong allocated) {
    double deliveries = outcome.deliveries();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(name + ": server, µs a delivery", load.of(Role.SERVER) / deliveries);
    figures.put(name + ": all of it, µs a delivery", load.total() / deliveries);
    figures.put(name + ": the driver beside it, µs a delivery", load.driver() / deliveries);
    allocated.ifPresent(
        bytes -> figures.put(name + ": B allocated a delivery", bytes / deliveries));
    figures.put(name + ": delivery p50, ms", Outcome.millis(outcome.received(), 50));
    figures.put(name + ": delivery p99, ms", Outcome.millis(outcome.received(), 99));
    return figures;
  }
}
