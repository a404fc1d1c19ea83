package io.confab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Durable sends in rooms of two, at rates from a small installation's on, and as many as can be.
final class Send implements Part {
  private static final List<Integer> RATES = List.of(50, 500, 4_000, 8_000);

  @Override
  public void run(Setting setting) {
    try (Field field = Field.ofChat(setting.options(), true)) {
      field.with(Floor.NAME, StoringFloor::new);
      Layout layout = Layout.pairs(Sends.ROOMS);
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

  private static List<TrafficCell.Shape> shapes(double seconds) {
    List<TrafficCell.Shape> shapes = new ArrayList<>();
    for (int rate : RATES) {
      shapes.add(Sends.shape("rooms of two, %,d/s".formatted(rate), Pace.open(rate), seconds));
    }
    shapes.add(Sends.shape("rooms of two, 256 under way", Sends.SATURATED, seconds));
    return shapes;
  }
}
