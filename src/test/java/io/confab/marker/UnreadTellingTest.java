package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.UnreadCount;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnreadTellingTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(7);
  private static final RoomId OTHER = new RoomId(8);

  private final List<List<Place>> reads = new ArrayList<>();
  private final List<AccountSignal> told = new ArrayList<>();
  private int untold;
  private boolean away;

  private final UnreadTelling telling =
      new UnreadTelling(
          places -> {
            reads.add(places);
            return away
                ? Future.failedFuture(Refusal.unavailable("PostgreSQL is away"))
                : Future.succeededFuture(places.stream().map(UnreadTellingTest::count).toList());
          },
          new Announcer() {
            @Override
            public void announce(List<Event> events) {}

            @Override
            public void announce(RoomSignal signal) {}

            @Override
            public void signal(List<AccountSignal> signals) {}

            @Override
            public void signalOnce(List<AccountSignal> signals) {
              told.addAll(signals);
            }

            @Override
            public void untold() {
              untold++;
            }

            @Override
            public void moved(RoomId room, Rev rev) {}
          });

  private static UnreadCount count(Place place) {
    return new UnreadCount(place.account(), place.room(), 3, 1, 4, new Seq(9), new Rev(14), 2);
  }

  private static AccountSignal told(RoomId room) {
    return count(new Place(ANN, room, Seq.ZERO)).signal();
  }

  @Test
  void anAccountIsToldAtOnceAndThenOnceASecondForAllItsRooms() {
    telling.tell(ANN, ROOM);
    assertThat(told).containsExactly(told(ROOM));
    telling.tell(ANN, ROOM);
    telling.tell(ANN, OTHER);
    telling.tell(ANN, ROOM);
    assertThat(reads).hasSize(1);
    telling.tellWaiting();
    assertThat(reads).hasSize(2);
    assertThat(told).containsExactlyInAnyOrder(told(ROOM), told(ROOM), told(OTHER));
    telling.tellWaiting();
    assertThat(reads).hasSize(2);
  }

  @Test
  void whatCouldNotBeReadIsReadAgainUntilItCan() {
    away = true;
    telling.tell(ANN, ROOM);
    telling.tellWaiting();
    telling.tellWaiting();
    assertThat(reads).hasSize(3);
    assertThat(told).isEmpty();
    away = false;
    telling.tellWaiting();
    assertThat(told).containsExactly(told(ROOM));
    assertThat(untold).isZero();
  }

  @Test
  void ofWhatIsTooMuchToWaitNodesFindOutByComparing() {
    for (int room = 0; room <= UnreadTelling.MOST_WAITING; room++) {
      telling.tell(ANN, new RoomId(room));
    }
    telling.tellWaiting();
    assertThat(untold).isZero();
    for (int room = 0; room <= UnreadTelling.MOST_WAITING; room++) {
      telling.tell(ANN, new RoomId(room));
    }
    telling.tellWaiting();
    telling.tellWaiting();
    assertThat(untold).isEqualTo(1);
  }
}
