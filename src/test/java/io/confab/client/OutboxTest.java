package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OutboxTest {
  private static final RoomId ROOM = RoomId.parse("000000000000a");

  private final List<Action> actions = new ArrayList<>();
  private final List<Double> drawn = new ArrayList<>(List.of(0.8, 0.2));
  private final RandomGenerator random =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          throw new UnsupportedOperationException("only fractions are drawn");
        }

        @Override
        public double nextDouble() {
          return drawn.removeFirst();
        }
      };
  private final Outbox outbox = new Outbox(10, SessionRules.backoff(random), actions::add);

  @Test
  void aSendThatAnotherKeepsWaitingIsNoReasonToWakeUp() {
    outbox.online(ClientJson.object().put("requests", 256), 0);
    outbox.add(said("one"), 0);
    outbox.add(said("two"), 0);

    outbox.refused(new ClientId("one"), ApiException.local(ApiException.UNREACHABLE, "no"), 0);
    outbox.refused(new ClientId("two"), ApiException.local(ApiException.UNREACHABLE, "no"), 0);

    assertThat(outbox.deadline()).hasValue(400);
    outbox.tick(400);
    assertThat(actions).filteredOn(Action.Transmit.class::isInstance).hasSize(4);
    assertThat(outbox.deadline()).hasValue(30_400);
  }

  /// What looks at all sends at each event takes minutes here.
  @Test
  @Timeout(60)
  void aLongQueueIsNotLookedThroughAtEachEvent() {
    int sends = 200_000;
    List<String> sent = new ArrayList<>();
    Outbox wide =
        new Outbox(
            sends,
            SessionRules.backoff(random),
            action -> {
              if (action instanceof Action.Transmit(var frame)) {
                sent.add(frame.path("client_id").asText());
              }
            });
    for (int i = 0; i < sends; i++) {
      wide.add(said(new RoomId(i % 50), "c" + i), 0);
    }
    wide.online(ClientJson.object().put("requests", 256), 0);
    assertThat(sent).hasSize(128);
    for (int i = 0; i < sends; i++) {
      wide.acknowledged(
          ClientJson.object().put("client_id", "c" + i).put("room_id", ROOM.toString()), 0);
      assertThat(wide.deadline().isPresent()).isEqualTo(i + 1 < sends);
    }
    assertThat(sent).isEqualTo(IntStream.range(0, sends).mapToObj(i -> "c" + i).toList());
  }

  private static Outgoing said(String id) {
    return said(ROOM, id);
  }

  private static Outgoing said(RoomId room, String id) {
    return new Outgoing(room, new ClientId(id), "hello", null, null);
  }
}
