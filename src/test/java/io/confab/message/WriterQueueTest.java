package io.confab.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Config;
import io.confab.message.WriterQueue.Changing;
import io.confab.message.WriterQueue.Entry;
import io.confab.message.WriterQueue.Sending;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.MessageType;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.seat.SeatCommand;
import io.confab.testing.TestConfig;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WriterQueueTest {
  private static final int MOST = 1 << 20;
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ANN = new AccountId(2);

  private final ManualTiming timing = new ManualTiming();
  private final WriterQueue queue = new WriterQueue(TestConfig.persistence(), timing, MOST);

  private static Entry send(String body) {
    return new Sending(
        new Draft(ROOM, ANN, new ClientId("c"), MessageType.TEXT, body, null, null),
        Promise.promise(),
        0);
  }

  private static Entry edit(String body) {
    return new Changing(
        new MessageChange.Edit(ROOM, new Seq(1), ANN, new ClientId("c"), body),
        Promise.promise(),
        0);
  }

  private int fill(String body) {
    int count = 0;
    while (!queue.isFull()) {
      queue.add(count % 2 == 0 ? send(body) : edit(body));
      count++;
    }
    return count;
  }

  @Test
  void isFullByBytesWhereMessagesAreLarge() {
    int large = fill("x".repeat(16_384));
    assertThat(large).isBetween(MOST / 40_000, MOST / 32_000);
    queue.settled(queue.take());
    assertThat(queue.isFull()).isFalse();
  }

  @Test
  void whatIsOnItsWayToTheDatabaseTakesItsRoomUntilItIsSettled() {
    String large = "x".repeat(16_384);
    int fit = fill(large);
    List<WriterQueue.Batch> taken = new ArrayList<>();
    while (!queue.isEmpty()) {
      taken.add(queue.take());
    }
    assertThat(queue.size()).isZero();
    assertThat(queue.isFull()).isTrue();
    queue.putAside(taken.getFirst().entries());
    taken.forEach(queue::settled);
    assertThat(fill(large)).isEqualTo(fit - taken.getFirst().entries().size());
  }

  @Test
  void isFullByNumberWhereTheyAreSmall() {
    WriterQueue wide = new WriterQueue(TestConfig.persistence(), timing, Long.MAX_VALUE);
    for (int i = 0; i < TestConfig.persistence().queueRows(); i++) {
      assertThat(wide.isFull()).isFalse();
      wide.add(send(""));
    }
    assertThat(wide.isFull()).isTrue();
  }

  @Test
  void whoWasFoundInsideWaitsNoLongerThanThatIsGood() {
    Config.Persistence usual = TestConfig.persistence();
    Config.Persistence patient =
        new Config.Persistence(
            usual.writers(),
            usual.groupRows(),
            usual.queueRows(),
            Duration.ofMinutes(1),
            usual.markerGather());
    WriterQueue slow = new WriterQueue(patient, timing, MOST);
    Draft draft = new Draft(ROOM, ANN, new ClientId("c"), MessageType.TEXT, "x", null, null);
    Entry outside = new Sending(draft, Promise.promise(), 0);
    Entry inside = new Sending(draft.seated(true), Promise.promise(), 0);
    slow.add(outside);
    slow.add(inside);
    timing.pass(SeatCommand.WRITE.plusMillis(1));
    assertThat(inside.answer().future().failed()).isTrue();
    assertThat(outside.answer().future().isComplete()).isFalse();
    assertThat(slow.size()).isEqualTo(1);
  }

  @Test
  void hasRoomAgainWhateverWayItsEntriesWent() {
    int fit = fill("x".repeat(16_384));
    queue.refuseAll("the database is away");
    assertThat(fill("x".repeat(16_384))).isEqualTo(fit);
    timing.pass(Duration.ofMinutes(1));
    assertThat(queue.isEmpty()).isTrue();
    assertThat(fill("x".repeat(16_384))).isEqualTo(fit);
    while (!queue.isEmpty()) {
      queue.settled(queue.take());
    }
    assertThat(fill("x".repeat(16_384))).isEqualTo(fit);
  }

  @Test
  void whatIsPutAsideAgainAndAgainWaitsNoLonger() {
    Entry mine = send("mine");
    queue.add(mine);
    Duration half = TestConfig.persistence().waitLimit().dividedBy(2).plusMillis(1);
    for (int i = 0; i < 2; i++) {
      queue.take();
      queue.putAside(List.of(mine));
      timing.pass(half);
      queue.release(Set.of());
    }
    assertThat(mine.answer().future().failed()).isTrue();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void whoIsRefusedMayComeBackAtOnce() {
    Entry mine = send("mine");
    Entry other = edit("other");
    queue.add(mine);
    queue.add(other);
    Entry again =
        new Sending(
            new Draft(ROOM, ANN, new ClientId("c"), MessageType.TEXT, "again", null, null),
            Promise.promise(),
            Duration.ofMinutes(1).toNanos());
    other.answer().future().onComplete(_ -> queue.add(again));
    timing.pass(TestConfig.persistence().waitLimit().plusMillis(1));
    assertThat(mine.answer().future().failed()).isTrue();
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.take().entries().stream().anyMatch(again::equals)).isTrue();
  }
}
