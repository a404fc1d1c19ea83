package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.Visibility.Span;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VisibilityTest {
  /// Members of a room where nothing is shown of the time before: first with seqs 3 to 5, then
  /// from seq 9 on.
  private static final Visibility TWICE =
      new Visibility(
          List.of(
              new Span(new Rev(5), new Rev(9), new Seq(3), new Seq(5)),
              new Span(new Rev(15), null, new Seq(9), null)));

  private static Event event(long rev, Event.Subject subject) {
    return new Event(new RoomId(1), new Epoch(1), new Rev(rev), subject, new byte[0]);
  }

  private static List<Long> seqsSeen(Visibility visibility, long changedAt) {
    return LongStream.rangeClosed(1, 12)
        .filter(
            seq ->
                visibility.shows(
                    event(changedAt, new Event.OfChange(new Seq(seq), new Rev(changedAt), true))))
        .boxed()
        .toList();
  }

  private static List<Long> revsSeen(Visibility visibility, Event.Subject subject) {
    return LongStream.rangeClosed(1, 18)
        .filter(rev -> visibility.shows(event(rev, subject)))
        .boxed()
        .toList();
  }

  @Test
  void aMessageIsSeenByItsSeqHoweverLateItWasChanged() {
    assertThat(seqsSeen(TWICE, 3)).containsExactly(3L, 4L, 5L, 9L, 10L, 11L, 12L);
    assertThat(seqsSeen(TWICE, 99)).containsExactly(3L, 4L, 5L, 9L, 10L, 11L, 12L);
  }

  @Test
  void anyOtherChangeIsSeenByItsRev() {
    assertThat(revsSeen(TWICE, new Event.OfRoom()))
        .containsExactly(5L, 6L, 7L, 8L, 9L, 15L, 16L, 17L, 18L);
    assertThat(revsSeen(TWICE, new Event.Departure(new AccountId(1), LeaveReason.LEFT)))
        .containsExactly(5L, 6L, 7L, 8L, 9L, 15L, 16L, 17L, 18L);
  }

  @Test
  void aSpanThatShowsEverythingShowsWhatWasBeforeIt() {
    Visibility visibility = new Visibility(List.of(new Span(new Rev(10), null, new Seq(1), null)));
    assertThat(seqsSeen(visibility, 3)).hasSize(12);
    assertThat(revsSeen(visibility, new Event.OfRoom())).hasSize(18);
    assertThat(revsSeen(Visibility.ALL, new Event.OfRoom())).hasSize(18);
  }

  @Test
  void whoNeverWasInTheRoomSeesNothing() {
    Visibility nothing = new Visibility(List.of());
    assertThat(seqsSeen(nothing, 3)).isEmpty();
    assertThat(revsSeen(nothing, new Event.OfRoom())).isEmpty();
  }
}
