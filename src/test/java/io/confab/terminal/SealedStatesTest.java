package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.SealedLine;
import io.confab.client.sealedroom.Fate;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
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
      return Future.succeededFuture(fates.getOrDefault(seq, UNKNOWN));
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
    queue.runAll();

    assertThat(followed).containsExactly(new Seq(4));
    assertThat(receipts.of(TEA, new Seq(4))).isEqualTo(Receipts.State.DELIVERED);
    assertThat(receipts.of(TEA, new Seq(6))).isEqualTo(Receipts.State.SENT);
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
    assertThat(out.toString().lines()).containsExactly("✗ #9 is not at ben (expired)");
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
}
