package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RoomLogTest {
  private static final RoomId ROOM = RoomId.parse("000000000000a");
  private static final Epoch EPOCH = new Epoch(1);

  private final List<Action> actions = new ArrayList<>();
  private final RoomLog log =
      new RoomLog(1, new RoomPosition(ROOM, EPOCH, Seq.ZERO, Rev.ZERO), actions::add);

  @Test
  void moreThanAThousandHeldEventsAreReadInstead() {
    LongStream.rangeClosed(2, 1_500).forEach(rev -> log.event(said(rev), 0));
    assertThat(actions).containsExactly(new Action.ReadEvents(ROOM, 1, EPOCH, Rev.ZERO));
    actions.clear();

    log.eventsRead(page(1, 2), 0);
    assertThat(seqs()).containsExactly(1L, 2L);
    assertThat(actions).endsWith(new Action.ReadEvents(ROOM, 1, EPOCH, new Rev(2)));
    actions.clear();

    log.eventsRead(page(3, 600), 0);
    assertThat(seqs()).isEqualTo(LongStream.rangeClosed(3, 1_500).boxed().toList());
  }

  @Test
  void whatAReplayKnewInAdvanceIsForgottenWhenItIsPassed() {
    ShownMessages shown = new ShownMessages(Seq.ZERO);
    RoomUpdate.Said said = (RoomUpdate.Said) said(1, 3).update().orElseThrow();
    assertThat(shown.take(said, new Rev(1))).isTrue();
    RoomUpdate.Deleted deletion =
        new RoomUpdate.Deleted(
            new RoomUpdate.Change(ROOM, new Rev(3), said.message().senderId(), 0),
            new Seq(1),
            said.message().senderId());
    assertThat(shown.take(deletion, new Rev(3))).isFalse();
    shown.passed(new Rev(3));
    assertThat(shown.take(deletion, new Rev(3))).isTrue();
  }

  @Test
  void whatIsSaidInASealedRoomMovesThePositionToo() {
    log.event(
        RoomEvent.read(
            ClientJson.object()
                .put("type", "room.event")
                .put("room_id", ROOM.toString())
                .put("kind", "sealed")
                .put("actor_id", "0000000000010")
                .put("epoch", 1)
                .put("rev", 1)
                .put("seq", 1)),
        0);
    assertThat(log.position()).isEqualTo(new RoomPosition(ROOM, EPOCH, new Seq(1), new Rev(1)));
  }

  private static EventPage page(long from, long to) {
    return new EventPage(
        EPOCH,
        true,
        LongStream.rangeClosed(from, to)
            .mapToObj(rev -> (com.fasterxml.jackson.databind.node.ObjectNode) said(rev).frame())
            .toList(),
        new Rev(to),
        false);
  }

  private List<Long> seqs() {
    return actions.stream()
        .flatMap(
            action ->
                action instanceof Action.Update(RoomUpdate.Said(ChatMessage message))
                    ? LongStream.of(message.seq().value()).boxed()
                    : java.util.stream.Stream.empty())
        .toList();
  }

  private static RoomEvent said(long rev) {
    return said(rev, rev);
  }

  private static RoomEvent said(long rev, long changedRev) {
    return RoomEvent.read(
        ClientJson.tree(
            """
            {"type":"message.receive","room_id":"000000000000a","seq":%1$d,"rev":%1$d,
             "changed_rev":%2$d,"sender_id":"0000000000ann","client_id":"c","msg_type":"text",
             "body":"b","ts":1,"epoch":1}\
            """
                .formatted(rev, changedRev)));
  }
}
