package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The driver against the floor, as in `scripts/bench`, with few people and for a moment.
@Timeout(120)
class TrafficIT {
  private static final int PEOPLE = 10;
  private static final Layout LAYOUT = Layout.one(PEOPLE);

  private final Driver driver = new Driver();
  private final Floor floor = new Floor("", 300);
  private final Crowd crowd =
      Crowd.open(driver, floor, LAYOUT, floor.furnish(LAYOUT), PEOPLE, new Deaf());

  @AfterEach
  void close() {
    crowd.close();
    floor.close();
    driver.close();
  }

  private Outcome run(Pace pace) {
    return new Traffic(crowd, pace, 3, floor.echoes(), 0).run(0.5);
  }

  @Test
  void whatIsSaidReachesEverybody() {
    Processes before = Processes.now();

    Outcome outcome = run(new Pace.Open(200, 4));

    Load load = Load.between(before, Processes.now(), floor.roots(), ProcessHandle.current().pid());
    assertThat(outcome.fault()).isEmpty();
    assertThat(outcome.sent()).isEqualTo(100);
    assertThat(outcome.deliveries()).isEqualTo(100 * PEOPLE);
    assertThat(outcome.acks().getTotalCount()).isEqualTo(100);
    assertThat(outcome.received().getTotalCount()).isEqualTo(100 * (PEOPLE - 1));
    assertThat(load.micros().keySet()).containsExactly(Role.SERVER);
  }

  @Test
  void aClosedLoopKeepsItsPace() {
    Outcome outcome = run(new Pace.Closed(5));

    assertThat(outcome.fault()).isEmpty();
    assertThat(outcome.sent()).isGreaterThanOrEqualTo(5);
    assertThat(outcome.deliveries()).isEqualTo((long) outcome.sent() * PEOPLE);
  }
}
