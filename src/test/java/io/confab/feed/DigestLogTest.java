package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DigestLogTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final Epoch EPOCH = new Epoch(1);
  private static final AccountId ANN = new AccountId(1);
  private static final AccountSignal ADDED = new AccountSignal.Added(ANN, ROOM);
  private static final AccountSignal REVOKED =
      new AccountSignal.Revoked(ANN, new DeviceId("phone"));

  private final DigestLog log = new DigestLog();

  private static Event event(long room, long rev) {
    return new Event(new RoomId(room), new Epoch(1), new Rev(rev), new Event.OfRoom(), new byte[0]);
  }

  @Test
  void eachRoomStandsAtTheNewestRevHoweverTheyCame() {
    log.moved(List.of(event(7, 4), event(7, 6), event(8, 1)));
    log.moved(List.of(event(7, 5)));
    Contents contents = log.drain();
    assertThat(contents.moved())
        .containsExactlyInAnyOrder(
            new Moved(ROOM, new Rev(6)), new Moved(new RoomId(8), new Rev(1)));
    assertThat(contents.signals()).isEmpty();
    assertThat(contents.more()).isFalse();
  }

  @Test
  void signalsKeepTheirOrderAndComeOnce() {
    log.signalled(List.of(REVOKED, ADDED));
    log.signalled(List.of(REVOKED));
    assertThat(log.drain().signals()).containsExactly(REVOKED, ADDED);
  }

  @Test
  void whatWasTakenOutIsNotToldAgain() {
    log.moved(List.of(event(7, 4)));
    log.signalled(List.of(ADDED));
    log.drain();
    assertThat(log.drain()).isEqualTo(new Contents(List.of(), List.of(), false));
  }

  @Test
  void ofTooManyRoomsItIsKnownThatThereWereMore() {
    log.moved(LongStream.rangeClosed(1, DigestLog.MOST_ROOMS).mapToObj(r -> event(r, 1)).toList());
    log.moved(List.of(event(7, 2)));
    assertThat(log.drain().more()).isFalse();
    log.moved(LongStream.rangeClosed(0, DigestLog.MOST_ROOMS).mapToObj(r -> event(r, 1)).toList());
    Contents contents = log.drain();
    assertThat(contents.more()).isTrue();
    assertThat(contents.moved()).hasSize(DigestLog.MOST_ROOMS);
    assertThat(log.drain().more()).isFalse();
  }

  @Test
  void ofSendsTheLastNumberIsKnownAndOfTooManyRoomsThatThereWereMore() {
    log.queued(ROOM, EPOCH, 3);
    log.queued(ROOM, EPOCH, 2);
    assertThat(log.drain().sends()).containsExactly(new Digest.Sends(ROOM, 3));
    LongStream.rangeClosed(1, DigestLog.MOST_ROOMS)
        .forEach(r -> log.queued(new RoomId(r), EPOCH, 1));
    log.queued(ROOM, EPOCH, 2);
    assertThat(log.drain().more()).isFalse();
    LongStream.rangeClosed(0, DigestLog.MOST_ROOMS)
        .forEach(r -> log.queued(new RoomId(r), EPOCH, 1));
    Contents contents = log.drain();
    assertThat(contents.more()).isTrue();
    assertThat(contents.sends()).hasSize(DigestLog.MOST_ROOMS);
  }

  @Test
  void ofTooManySignalsItIsKnownThatThereWereMore() {
    log.signalled(signals(DigestLog.MOST_SIGNALS));
    assertThat(log.drain().more()).isFalse();
    log.signalled(signals(DigestLog.MOST_SIGNALS + 1));
    Contents contents = log.drain();
    assertThat(contents.more()).isTrue();
    assertThat(contents.signals()).hasSize(DigestLog.MOST_SIGNALS);
  }

  @Test
  void nothingIsLostBetweenThreads() throws InterruptedException {
    int rounds = 20_000;
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int rev = 1; rev <= rounds; rev++) {
                    log.moved(List.of(event(rev % 10, rev)));
                  }
                });
    List<Moved> told = new ArrayList<>();
    while (writer.isAlive()) {
      told.addAll(log.drain().moved());
    }
    writer.join();
    told.addAll(log.drain().moved());
    for (int room = 0; room < 10; room++) {
      RoomId id = new RoomId(room);
      long last = rounds - 10L + (room == 0 ? 10 : room);
      assertThat(told)
          .filteredOn(m -> m.room().equals(id))
          .last()
          .isEqualTo(new Moved(id, new Rev(last)));
    }
  }

  private static List<AccountSignal> signals(int count) {
    return LongStream.range(0, count)
        .<AccountSignal>mapToObj(account -> new AccountSignal.Added(new AccountId(account), ROOM))
        .toList();
  }

  @Test
  void numbersOfSendsOfAnEpochThatIsOverAreNotTold() {
    log.queued(ROOM, EPOCH, 1_000);
    log.queued(ROOM, new Epoch(2), 991);
    log.queued(ROOM, EPOCH, 1_001);
    Contents contents = log.parts(new Epoch(2)).getLast();
    assertThat(contents.sends()).containsExactly(new Digest.Sends(ROOM, 991));
    assertThat(contents.more()).as("all look").isTrue();

    log.queued(ROOM, new Epoch(2), 992);
    contents = log.parts(new Epoch(3)).getLast();
    assertThat(contents.sends()).isEmpty();
    assertThat(contents.more()).isTrue();
    assertThat(log.parts(new Epoch(4)).getLast().more()).isFalse();
  }
}
