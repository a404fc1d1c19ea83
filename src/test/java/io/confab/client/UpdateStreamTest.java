package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UpdateStreamTest {
  private static final RoomId ROOM = new RoomId(1);
  private static final RoomId OTHER = new RoomId(2);

  private final UpdateStream stream = new UpdateStream();

  private static RoomUpdate update(RoomId room, long rev) {
    return new RoomUpdate.Archived(
        new RoomUpdate.Change(room, new Rev(rev), new AccountId(7), 1_000));
  }

  private void publish(RoomId room, long from, long to) {
    LongStream.rangeClosed(from, to).forEach(rev -> stream.publish(update(room, rev)));
  }

  private static List<RoomUpdate> updates(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(rev -> update(ROOM, rev)).toList();
  }

  @Test
  void eachSubscriberGetsInOrderWhatComesAfterItsSubscription() {
    TestSubscriber<RoomUpdate> early = stream.where(_ -> true).test();
    publish(ROOM, 1, 2);
    TestSubscriber<RoomUpdate> late = stream.where(_ -> true).test();
    publish(ROOM, 3, 4);

    assertThat(early.values()).isEqualTo(updates(1, 4));
    assertThat(late.values()).isEqualTo(updates(3, 4));
  }

  @Test
  void whatIsNotRequestedWaits() {
    TestSubscriber<RoomUpdate> slow = stream.where(_ -> true).test(1);
    publish(ROOM, 1, UpdateStream.MOST_WAITING + 1);

    slow.assertValueCount(1);
    slow.request(Long.MAX_VALUE);
    assertThat(slow.values()).isEqualTo(updates(1, UpdateStream.MOST_WAITING + 1));
    slow.assertNotComplete().assertNoErrors();
  }

  @Test
  void whoFallsBehindGetsWhatWaitedAndThenFailsWhileOthersGoOn() {
    int most = UpdateStream.MOST_WAITING;
    TestSubscriber<RoomUpdate> slow = stream.where(_ -> true).test(0);
    TestSubscriber<RoomUpdate> quick = stream.where(_ -> true).test();
    publish(ROOM, 1, most + 2);

    slow.assertNoValues().assertNoErrors();
    slow.request(most);
    assertThat(slow.values()).isEqualTo(updates(1, most));
    slow.assertError(
        failure ->
            failure instanceof ApiException behind && behind.code().equals(ApiException.BEHIND));
    assertThat(quick.values()).isEqualTo(updates(1, most + 2));
    quick.assertNoErrors();
  }

  @Test
  void whatIsNotWantedDoesNotCountForTheLimit() {
    TestSubscriber<RoomUpdate> slow = stream.where(update -> update.roomId().equals(ROOM)).test(0);
    publish(OTHER, 1, 2 * UpdateStream.MOST_WAITING);
    publish(ROOM, 1, 1);

    slow.request(5);
    assertThat(slow.values()).isEqualTo(updates(1, 1));
    slow.assertNoErrors();
  }

  @Test
  void aSubscriberThatCancelsGetsNothingMore() {
    TestSubscriber<RoomUpdate> leaving = stream.where(_ -> true).test();
    assertThat(stream.hasSubscribers()).isTrue();
    publish(ROOM, 1, 1);
    leaving.cancel();
    publish(ROOM, 2, 2);

    assertThat(leaving.values()).isEqualTo(updates(1, 1));
    assertThat(stream.hasSubscribers()).isFalse();
  }

  @Test
  void theEndComesAfterWhatWaitsAndAlsoForWhoSubscribesLater() {
    TestSubscriber<RoomUpdate> slow = stream.where(_ -> true).test(0);
    publish(ROOM, 1, 2);
    stream.complete();

    slow.assertNotComplete();
    slow.request(2);
    slow.assertComplete();
    assertThat(slow.values()).isEqualTo(updates(1, 2));
    stream.where(_ -> true).test().assertNoValues().assertComplete();
  }
}
