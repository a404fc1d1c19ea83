package io.confab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.ledger.Entry;
import io.confab.ledger.History;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A device that does at every tick whatever it may do.
@Timeout(120)
class SealedInboxTest {
  private final History history = History.inMemory(() -> 0);
  private final RunContext world = RunContext.of(history, () -> 0, List.of());
  private final SealedInbox inbox = new SealedInbox("ann-1", 5, world, () -> 0L);
  private final List<JsonObject> said = new ArrayList<>();

  private void tick() {
    said.clear();
    inbox.tick(50, said::add);
  }

  private void answer(String type, JsonObject fields) {
    String re = said.getLast().getString("id");
    assertThat(inbox.answered(fields.put("type", type).put("re", re))).isTrue();
  }

  private void opened(long first, long last) {
    tick();
    answer("queue.opened", new JsonObject().put("epoch", 1).put("first", first).put("last", last));
  }

  private void comes(long number) {
    inbox.received(
        new JsonObject()
            .put("type", "envelope.receive")
            .put("queue_seq", number)
            .put("epoch", 1)
            .put("client_id", "c")
            .put("payload", "p"));
  }

  private List<String> asked() {
    return said.stream().map(frame -> frame.getString("type") + numbers(frame)).toList();
  }

  private static String numbers(JsonObject frame) {
    return " " + frame.getValue("queue_seq", frame.getValue("after"));
  }

  @Test
  void whatCameIsKeptAndThenAcknowledged() {
    opened(1, 2);
    assertThat(asked()).containsExactly("queue.open 0");
    comes(1);
    comes(2);
    tick();
    assertThat(asked()).containsExactly("queue.ack 2");
    assertThat(inbox.hasAcknowledged(2)).isFalse();
    answer("ok", new JsonObject());
    assertThat(inbox.hasAcknowledged(2)).isTrue();
    assertThat(history.entries())
        .extracting(entry -> entry.getClass().getSimpleName())
        .containsExactly(
            "QueueOpened", "EnvelopeCame", "EnvelopeCame", "QueueKept", "QueueAsked", "QueueMoved");
  }

  @Test
  void whatWasNotKeptIsForgottenWithTheConnection() {
    opened(1, 2);
    comes(1);
    inbox.cut();
    tick();
    assertThat(asked()).containsExactly("queue.open 0");
  }

  @Test
  void whatMayBeAcknowledgedIsNotAskedForAgain() {
    opened(1, 2);
    comes(1);
    comes(2);
    tick();
    inbox.cut();
    opened(1, 2);
    assertThat(asked()).as("it may be acknowledged").containsExactly("queue.open 2");
    tick();
    assertThat(asked()).containsExactly("queue.ack 2");
  }

  @Test
  void whatCannotBeReadIsSaidBeforeItIsKept() {
    opened(1, 1);
    world.accepting().set(true);
    comes(1);
    tick();
    assertThat(asked()).containsExactly("queue.reject 1");
    answer("ok", new JsonObject());
    tick();
    assertThat(asked()).containsExactly("queue.ack 1");
    assertThat(history.entries())
        .contains(new Entry.QueueMoved(0, 5, 1, Entry.REJECT, 1))
        .endsWith(new Entry.QueueAsked(0, 5, 1, Entry.ACK, 1));
  }

  @Test
  void aRefusedOpeningIsTriedAgain() {
    tick();
    assertThat(inbox.isStuck()).isFalse();
    answer("error", new JsonObject().put("retryable", true));
    assertThat(inbox.isOpen()).isFalse();
    assertThat(world.anomalies()).isEmpty();
  }
}
