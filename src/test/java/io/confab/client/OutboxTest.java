package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

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
    assertThat(actions).hasSize(4);
    assertThat(outbox.deadline()).hasValue(30_400);
  }

  private static Outgoing said(String id) {
    return new Outgoing(ROOM, new ClientId(id), "hello", null, null);
  }
}
