package io.confab.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/// Traffic of one kind through one contestant: people connect, speak for a moment without being
/// watched, then as long as it takes, and leave.
final class TrafficCell implements Cell {
  /// Of the whole benchmark: no token comes twice.
  private static final AtomicInteger TOKENS = new AtomicInteger();

  private static final int AT_ONCE = 100;
  private static final double WARM = 0.2;

  private final Driver driver;
  private final Contestant contestant;
  private final Layout layout;
  private final List<Speech> people;
  private final Shape shape;

  /// Who speaks how fast and how long, and what of it is told.
  record Shape(String name, Pace pace, int senders, double seconds, Report report) {}

  /// What a row of the table says of traffic.
  interface Report {
    /// @param allocated bytes, where the contestant tells it
    Map<String, Double> figures(String name, Outcome outcome, Load load, OptionalLong allocated);
  }

  TrafficCell(
      Driver driver, Contestant contestant, Layout layout, List<Speech> people, Shape shape) {
    this.driver = driver;
    this.contestant = contestant;
    this.layout = layout;
    this.people = people;
    this.shape = shape;
  }

  @Override
  public String contestant() {
    return contestant.name();
  }

  @Override
  public String name() {
    return shape.name();
  }

  @Override
  public Measured measure() {
    try (Crowd crowd = Crowd.open(driver, contestant, layout, people, AT_ONCE, new Deaf())) {
      Optional<String> early = run(crowd, shape.seconds() * WARM).fault();
      OptionalLong allocated = contestant.allocated();
      Processes before = Processes.now();
      Outcome outcome = run(crowd, shape.seconds());
      Load load =
          Load.between(before, Processes.now(), contestant.roots(), ProcessHandle.current().pid());
      Map<String, Double> figures =
          new LinkedHashMap<>(
              shape.report().figures(shape.name(), outcome, load, since(allocated)));
      return new Measured(figures, load.foreign(), early.or(outcome::fault));
    }
  }

  private OptionalLong since(OptionalLong before) {
    OptionalLong after = contestant.allocated();
    return before.isEmpty() || after.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(after.getAsLong() - before.getAsLong());
  }

  private Outcome run(Crowd crowd, double seconds) {
    Traffic traffic =
        new Traffic(crowd, shape.pace(), shape.senders(), contestant.echoes(), TOKENS.get());
    Outcome outcome = traffic.run(seconds);
    TOKENS.addAndGet(outcome.sent());
    return outcome;
  }
}
