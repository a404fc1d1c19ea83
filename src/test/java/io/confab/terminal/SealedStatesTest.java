package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.RoomSignal;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.Fate;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SealedStatesTest {
  private static final RoomId TEA = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final AccountId BEN = new AccountId(11);
  private static final Fate UNKNOWN = new Fate(Set.of(), Map.of(), Set.of());

  private final StringWriter out = new StringWriter();
  private final ChatQueue queue = new ChatQueue();
  private final Receipts receipts = new Receipts();
  private final Map<Seq, Fate> fates = new HashMap<>();
  private final List<Seq> followed = new ArrayList<>();
  private int questions;
  private @Nullable Promise<Void> answer;
  private final SealedStates states =
      new SealedStates(
          new Rooms(), receipts, queue, new PlainScreen(new PrintWriter(out), false), _ -> "ben");

  private final class Rooms implements SealedAccess {
    @Override
    public Future<Void> follow(RoomId room, Seq from) {
      followed.add(from);
      return Future.succeededFuture();
    }

    @Override
    public Future<Fate> fate(RoomId room, Seq seq) {
      questions++;
      Promise<Void> later = answer;
      Future<Void> now = later == null ? Future.succeededFuture() : later.future();
      return now.map(_ -> fates.getOrDefault(seq, UNKNOWN));
    }
  }

  private static SealedLine own(long seq) {
    return new SealedLine(
        TEA,
        new Seq(seq),
        ADA,
        new DeviceId("d"),
        new ClientId("c" + seq),
        0,
        "hi",
        null,
        null,
        null);
  }

  @Test
  void whatBecameOfTheOwnLinesOnTheScreenIsAskedWhenTheRoomIsOpened() {
    fates.put(new Seq(4), new Fate(Set.of(BEN), Map.of(), Set.of()));

    states.opened(TEA, List.of(own(4), own(6)), new Seq(9));
    assertThat(receipts.ofSealed(TEA, new Seq(4))).isEqualTo(Receipts.State.DELIVERED);
    queue.runAll();

    assertThat(followed).containsExactly(new Seq(4));
    assertThat(receipts.ofSealed(TEA, new Seq(4))).isEqualTo(Receipts.State.DELIVERED);
    assertThat(receipts.ofSealed(TEA, new Seq(6))).isEqualTo(Receipts.State.SENT);
    assertThat(out.toString()).contains("* #4 ✓✓ delivered");
  }

  @Test
  void aLineThatCannotArriveIsToldOnce() {
    states.opened(TEA, List.of(), new Seq(9));
    states.said(own(9));
    fates.put(new Seq(9), new Fate(Set.of(), Map.of(BEN, "expired"), Set.of()));

    states.ask(TEA);
    states.ask(TEA);
    queue.runAll();

    assertThat(followed).containsExactly(new Seq(9));
    assertThat(out.toString().lines())
        .containsExactly("✗ #9 did not reach ben: its time was over before they came");
  }

  @Test
  void whatIsReadIsReadAndOtherRoomsAreLeftAlone() {
    states.opened(TEA, List.of(own(4)), new Seq(9));
    fates.put(new Seq(4), new Fate(Set.of(BEN), Map.of(), Set.of(BEN)));
    states.ask(new RoomId(2));
    queue.runAll();
    assertThat(receipts.text(new RoomId(2))).isEmpty();

    states.ask(TEA);
    queue.runAll();
    assertThat(receipts.text(TEA)).contains("#4 ✓✓ read");
  }

  @Test
  void aLineThatFailedIsNotReadByOneWhoReadALaterOne() {
    states.opened(TEA, List.of(own(4), own(5)), new Seq(9));
    fates.put(new Seq(4), new Fate(Set.of(), Map.of(BEN, "undecryptable"), Set.of()));
    receipts.read(new RoomSignal.Read(TEA, new Seq(4)));
    states.ask(TEA);
    queue.runAll();
    assertThat(receipts.ofSealed(TEA, new Seq(4))).isEqualTo(Receipts.State.SENT);
    assertThat(receipts.text(TEA)).isEmpty();

    fates.put(new Seq(5), new Fate(Set.of(BEN), Map.of(), Set.of(BEN)));
    states.ask(TEA);
    queue.runAll();
    assertThat(receipts.text(TEA)).contains("#5 ✓✓ read");
    assertThat(receipts.ofSealed(TEA, new Seq(4))).isEqualTo(Receipts.State.SENT);
  }

  @Test
  void nothingIsToldOfARoomThatIsNotOpenAnyMore() {
    states.opened(TEA, List.of(own(4)), new Seq(9));
    queue.runAll();
    fates.put(new Seq(4), new Fate(Set.of(), Map.of(BEN, "expired"), Set.of()));
    states.ask(TEA);
    states.closed();
    queue.runAll();
    states.ask(TEA);
    states.follow();
    queue.runAll();

    assertThat(followed).hasSize(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void afterALostConnectionWhatBecameOfTheLinesIsAskedAnew() {
    states.opened(TEA, List.of(), new Seq(9));
    states.said(own(9));
    queue.runAll();
    fates.put(new Seq(9), new Fate(Set.of(BEN), Map.of(), Set.of()));

    states.follow();
    queue.runAll();

    assertThat(followed).containsExactly(new Seq(9), new Seq(9));
    assertThat(receipts.text(TEA)).contains("#9 ✓✓ delivered");
  }

  @Test
  void manySignalsAreOneQuestion() {
    states.opened(TEA, List.of(own(4), own(5)), new Seq(9));
    queue.runAll();
    questions = 0;
    Promise<Void> first = Promise.promise();
    answer = first;
    for (int i = 0; i < 100; i++) {
      states.ask(TEA);
    }
    assertThat(questions).isEqualTo(2);

    fates.put(new Seq(5), new Fate(Set.of(BEN), Map.of(), Set.of()));
    answer = null;
    first.complete();
    queue.runAll();
    assertThat(questions).isEqualTo(4);
    assertThat(receipts.text(TEA)).contains("#5 ✓✓ delivered");
  }
}
