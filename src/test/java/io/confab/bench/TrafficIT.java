package io.confab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The driver against the floors, as in `scripts/bench`, with few people and for a moment.
@Timeout(120)
class TrafficIT {
  @Nested
  class OfOneRoom extends Runs {
    OfOneRoom() {
      super(new Floor("", 300), Layout.one(10), Set.of(Role.SERVER));
    }
  }

  @Nested
  class OfPairsWhoseMessagesAreStored extends Runs {
    OfPairsWhoseMessagesAreStored() {
      super(new StoringFloor(), Layout.pairs(5), Set.of(Role.SERVER, Role.POSTGRES));
    }
  }

  abstract static class Runs {
    private final Driver driver = new Driver();
    private final Contestant floor;
    private final int members;
    private final Set<Role> roles;
    private final Crowd crowd;

    /// @param roles whose processor time it takes
    Runs(Contestant floor, Layout layout, Set<Role> roles) {
      this.floor = floor;
      this.members = layout.rooms().getFirst().size();
      this.roles = roles;
      this.crowd =
          Crowd.open(driver, floor, layout, floor.furnish(layout), layout.people(), new Deaf());
    }

    @AfterEach
    void close() {
      crowd.close();
      floor.close();
      driver.close();
    }

    private Outcome run(Pace pace) {
      return new Traffic(crowd, pace, members, floor.echoes(), 0).run(0.5);
    }

    @Test
    void whatIsSaidReachesEverybody() {
      Processes before = Processes.now();

      Outcome outcome = run(new Pace.Open(200, 4));

      Load load =
          Load.between(before, Processes.now(), floor.roots(), ProcessHandle.current().pid());
      assertThat(outcome.fault()).isEmpty();
      assertThat(outcome.sent()).isEqualTo(100);
      assertThat(outcome.deliveries()).isEqualTo(100L * members);
      assertThat(outcome.acks().getTotalCount()).isEqualTo(100);
      assertThat(outcome.received().getTotalCount()).isEqualTo(100L * (members - 1));
      assertThat(load.micros().keySet()).isEqualTo(roles);
    }

    @Test
    void aClosedLoopKeepsItsPace() {
      Outcome outcome = run(new Pace.Closed(5));

      assertThat(outcome.fault()).isEmpty();
      assertThat(outcome.sent()).isGreaterThanOrEqualTo(5);
      assertThat(outcome.deliveries()).isEqualTo((long) outcome.sent() * members);
    }
  }
}
