package io.confab.marker;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.AccountSignal;
import io.confab.marker.MarkerCommand.Kind;
import io.confab.marker.MarkerCommand.Marker;
import io.confab.marker.MarkerCommand.MarkerView;
import io.confab.marker.MarkerCommand.MoveMarker;
import io.confab.marker.MarkerStore.Moved;
import io.confab.marker.MarkerStore.MovedMarker;
import io.confab.marker.MarkerStore.RaisedReceipt;
import io.confab.marker.MarkerStore.Step;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.SessionId;
import io.confab.testing.RecordingAnnouncer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MarkerMovesTest {
  private static final RoomId ROOM = new RoomId(7);
  private static final SessionId PHONE = new SessionId("phone");

  private final List<List<Step>> calls = new ArrayList<>();
  private final List<Promise<Moved>> answers = new ArrayList<>();
  private final List<AccountId> replaced = new ArrayList<>();
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private final MarkerMoves moves =
      new MarkerMoves(
          (steps, _) -> {
            calls.add(steps);
            answers.add(Promise.promise());
            return answers.getLast().future();
          },
          announcer,
          (account, _) -> replaced.add(account),
          BatchedRead.Pace.NONE);

  private Future<MarkerView> read(long account, long seq) {
    return moves.move(new MoveMarker(new AccountId(account), ROOM, Kind.READ, new Seq(seq), PHONE));
  }

  private static MovedMarker marker(long account, long seq, long unreadFrom) {
    return new MovedMarker(
        new Marker(
            ROOM,
            new AccountId(account),
            new Seq(seq),
            new Seq(seq),
            unreadFrom == 0 ? null : new Seq(unreadFrom)),
        true,
        true,
        true,
        true,
        List.of());
  }

  private void answer(List<String> outcomes, List<MovedMarker> markers) {
    answers.getLast().complete(new Moved(outcomes, 5, markers, List.of()));
  }

  private static ErrorCode code(Future<MarkerView> refused) {
    return ((Refusal) refused.cause()).code();
  }

  @Test
  void requestsThatComeMeanwhileGoInOneCallAndEachGetsItsOwnAnswer() {
    Future<MarkerView> first = read(1, 10);
    List<Future<MarkerView>> rest =
        LongStream.rangeClosed(2, 50).map(i -> 52 - i).mapToObj(i -> read(i, 10 * i)).toList();
    Future<MarkerView> same = read(50, 500);
    answer(List.of("done"), List.of(marker(1, 10, 0)));
    assertThat(first.result().marker().readSeq()).isEqualTo(new Seq(10));

    assertThat(calls).hasSize(2);
    List<Step> second = calls.getLast();
    assertThat(second).hasSize(50);
    assertThat(second.stream().map(step -> step.move().caller().value())).isSorted();
    List<String> outcomes =
        second.stream()
            .map(step -> step.move().caller().value())
            .map(i -> i == 2 ? "beyond" : i == 3 ? "not_found" : "done")
            .toList();
    answer(outcomes, LongStream.rangeClosed(2, 50).mapToObj(i -> marker(i, 10 * i, 0)).toList());
    for (int at = 0; at < rest.size(); at++) {
      long account = 50L - at;
      if (account > 3) {
        assertThat(rest.get(at).result().marker().accountId()).isEqualTo(new AccountId(account));
        assertThat(rest.get(at).result().marker().readSeq()).isEqualTo(new Seq(10 * account));
      }
    }
    assertThat(same.result().marker().accountId()).isEqualTo(new AccountId(50));
    assertThat(code(rest.get(48))).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(code(rest.get(47))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(calls).hasSize(2);
  }

  @Test
  void whatHasMovedIsToldOnceToItsAccountToOthersAndToSenders() {
    read(1, 10);
    answers
        .getLast()
        .complete(
            new Moved(
                List.of("done"),
                5,
                List.of(marker(1, 10, 0)),
                List.of(
                    new RaisedReceipt(
                        new AccountId(2), ROOM, new Seq(9), new Seq(9), new Rev(14)))));
    assertThat(announcer.signals)
        .containsExactly(
            new AccountSignal.MarkerMoved(
                new AccountId(1), ROOM, new Seq(10), new Seq(10), null, 5, PHONE),
            new AccountSignal.OthersRead(
                new AccountId(2), ROOM, new Seq(9), new Seq(9), new Rev(14)));
    assertThat(announcer.roomSignals).hasSize(1);
    assertThat(replaced).containsExactly(new AccountId(1));
  }

  @Test
  void whatIsTooFarGoesOnFromWhereItStood() {
    Future<MarkerView> read = read(1, 6_000);
    answer(List.of("more"), List.of(marker(1, 2_000, 0)));
    assertThat(calls.getLast().getFirst().stood()).isZero();
    answer(List.of("more"), List.of(marker(1, 4_000, 4_001)));
    assertThat(calls.getLast().getFirst().stood()).isEqualTo(4_001);
    answer(List.of("aside"), List.of(marker(1, 5_000, 12)));
    assertThat(calls.getLast().getFirst().stood()).isNegative();
    assertThat(read.isComplete()).isFalse();
    answer(List.of("done"), List.of(marker(1, 6_000, 12)));
    assertThat(read.result().marker().unreadFrom()).isEqualTo(new Seq(12));
    assertThat(calls).hasSize(4);
  }

  @Test
  void aCallThatFailsFailsItsRequestsAlone() {
    Future<MarkerView> first = read(1, 10);
    Future<MarkerView> second = read(2, 10);
    answers.getLast().fail(Refusal.unavailable("PostgreSQL is away"));
    assertThat(code(first)).isEqualTo(ErrorCode.UNAVAILABLE);
    answer(List.of("done"), List.of(marker(2, 10, 0)));
    assertThat(second.succeeded()).isTrue();
  }
}
