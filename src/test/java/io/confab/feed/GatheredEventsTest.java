package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.RecentEvents.Span;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheredEventsTest implements Timing {
  private static final RoomId ROOM = new RoomId(7);

  private final List<Promise<Void>> pauses = new ArrayList<>();
  private final FakeRecent window = new FakeRecent();
  private final GatheredEvents gathered = new GatheredEvents(window, this);

  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public Future<Void> pause(Duration duration) {
    assertThat(duration).isEqualTo(GatheredEvents.DELAY);
    pauses.add(Promise.promise());
    return pauses.getLast().future();
  }

  private void add(int rev, int bytes) {
    gathered.add(List.of(new SealedEvent(event(rev), new byte[bytes])));
  }

  private static Event event(long rev) {
    return new Event(ROOM, new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  private List<Long> added() {
    return window.added.stream().map(event -> event.rev().value()).toList();
  }

  @Test
  void whatIsAnnouncedIsPassedOnTogetherInItsOrder() {
    add(1, 10);
    add(2, 10);
    assertThat(added()).isEmpty();
    assertThat(pauses).hasSize(1);
    pauses.getFirst().complete();
    assertThat(added()).containsExactly(1L, 2L);
    assertThat(window.additions).isEqualTo(1);

    add(3, 10);
    assertThat(pauses).hasSize(2);
    pauses.getLast().complete();
    assertThat(added()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void manyCallsWaitForNoLonger() {
    for (int i = 1; i < GatheredEvents.MOST_CALLS; i++) {
      add(i, 10);
    }
    assertThat(added()).isEmpty();
    add(GatheredEvents.MOST_CALLS, 10);
    assertThat(added()).hasSize(GatheredEvents.MOST_CALLS);
    pauses.getFirst().complete();
    assertThat(added()).hasSize(GatheredEvents.MOST_CALLS);
  }

  @Test
  void soDoManyBytes() {
    add(1, GatheredEvents.MOST_BYTES / 2);
    assertThat(added()).isEmpty();
    add(2, GatheredEvents.MOST_BYTES / 2);
    assertThat(added()).containsExactly(1L, 2L);
  }

  @Test
  void aReadSeesWhatWaits() {
    add(1, 10);
    Future<List<Event>> read =
        gathered.read(ROOM, new Span(new Rev(0), new Rev(1), 10), new Epoch(1));
    assertThat(read.result()).hasSize(1);
    assertThat(gathered.size()).isEqualTo(window.size());
  }
}
