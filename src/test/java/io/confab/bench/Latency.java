package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// How long a send takes at half of what each server can do at most, beside what it consists of at
/// least: the way there and back, and a commit.
final class Latency implements Part {
  private static final String ECHO = "WebSocket echo, 500/s";
  private static final int ECHOES = 500;
  private static final int ECHOING = 20;
  private static final int ECHO_LENGTH = 200;

  @Override
  public void run(Setting setting) {
    double seconds = setting.options().seconds();
    try (Field field = Field.ofChat(setting.options(), true);
        Field echo = new Field(setting.options());
        LoneCommit commit = new LoneCommit(seconds)) {
      List<Cell> cells = new ArrayList<>();
      field.contestants().forEach(one -> cells.add(atHalf(setting, one)));
      echo.with(Floor.NAME, () -> new Floor(String.valueOf(FloorServer.ECHO), ECHO_LENGTH));
      echo.contestants().forEach(one -> cells.add(echo(setting, one)));
      cells.add(commit);
      setting.rounds().run(cells);
    }
  }

  /// Finds out what it can do, first without a warm compiler.
  private static Cell atHalf(Setting setting, Contestant contestant) {
    double seconds = setting.options().seconds();
    Layout layout = Layout.pairs(Sends.ROOMS);
    List<Speech> people = contestant.furnish(layout);
    String saturated = "to find its saturation";
    TrafficCell most =
        new TrafficCell(
            setting.driver(),
            contestant,
            layout,
            people,
            Sends.shape(saturated, Sends.SATURATED, seconds));
    most.measure();
    double rate = most.measure().figures().getOrDefault(saturated + ": sends/s", 0.0) / 2;
    return new TrafficCell(
        setting.driver(),
        contestant,
        layout,
        people,
        Sends.shape("rooms of two, half of own saturation", Pace.open(rate), seconds));
  }

  private static Cell echo(Setting setting, Contestant floor) {
    Layout layout = Layout.alone(ECHOING);
    return new TrafficCell(
        setting.driver(),
        floor,
        layout,
        floor.furnish(layout),
        new TrafficCell.Shape(
            ECHO, Pace.open(ECHOES), 1, setting.options().seconds(), Latency::figures));
  }

  private static Map<String, Double> figures(
      String name, Outcome outcome, Load load, OptionalLong allocated) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(name + ": p50, ms", Outcome.millis(outcome.acks(), 50));
    figures.put(name + ": p99, ms", Outcome.millis(outcome.acks(), 99));
    figures.put(name + ": server, µs", load.total() / outcome.sent());
    return figures;
  }
}
