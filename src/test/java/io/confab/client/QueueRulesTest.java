package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.QueueEvent.Acknowledged;
import io.confab.client.QueueEvent.Came;
import io.confab.client.QueueEvent.Due;
import io.confab.client.QueueEvent.NotOpened;
import io.confab.client.QueueEvent.Opened;
import io.confab.client.QueueEvent.Rejected;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class QueueRulesTest {
  private static final Epoch EPOCH = new Epoch(1);
  private static final Epoch RESTORED = new Epoch(2);

  private final List<ObjectNode> asked = new ArrayList<>();
  private final List<QueueEvent> told = new ArrayList<>();
  private final QueueRules rules = new QueueRules(SessionRules.backoff(() -> 0), this::act);
  private long now;

  private void act(Action action) {
    switch (action) {
      case Action.Transmit(ObjectNode frame) -> asked.add(frame);
      case Action.Queue(QueueEvent event) -> told.add(event);
      default -> throw new AssertionError(action);
    }
  }

  private static QueueSeq at(long number) {
    return new QueueSeq(number);
  }

  /// What is asked last, without its id.
  private String request() {
    ObjectNode last = asked.getLast().deepCopy();
    last.remove("id");
    return last.toString();
  }

  private String id() {
    return asked.getLast().path("id").asText();
  }

  private static String open(long after) {
    return "{\"type\":\"queue.open\",\"after\":%d,\"epoch\":1}".formatted(after);
  }

  private static String ack(long upTo) {
    return "{\"type\":\"queue.ack\",\"queue_seq\":%d}".formatted(upTo);
  }

  private static String reject(long number, String reason) {
    return "{\"type\":\"queue.reject\",\"queue_seq\":%d,\"reason\":\"%s\"}"
        .formatted(number, reason);
  }

  private void opened(Epoch epoch, long first, long last, boolean reset) {
    ObjectNode frame =
        ClientJson.object()
            .put("type", "queue.opened")
            .put("re", id())
            .put("epoch", epoch.value())
            .put("first", first)
            .put("last", last)
            .put("one_time_keys", 50)
            .put("fallback_used", false);
    rules.frame(reset ? frame.put("reset", true) : frame, now);
  }

  /// A connection on which the queue is open after a number.
  private void follow(long after, long last) {
    rules.live();
    rules.open(EPOCH, at(after), now);
    opened(EPOCH, after + 1, last, false);
  }

  private void come(long from, long to) {
    for (long number = from; number <= to; number++) {
      ObjectNode frame =
          ClientJson.object()
              .put("type", "envelope.receive")
              .put("queue_seq", number)
              .put("epoch", EPOCH.value())
              .put("gone", true);
      rules.frame(frame, now);
    }
  }

  private void keep(long upTo) {
    rules.acknowledge(EPOCH, at(upTo), now);
  }

  private void answer() {
    assertThat(rules.answered(id(), now)).isTrue();
  }

  private void refuse(String code, boolean retryable, long retryAfter) {
    ObjectNode error =
        ClientJson.object().put("code", code).put("message", "no").put("retryable", retryable);
    assertThat(rules.refused(id(), error.put("retry_after_ms", retryAfter), now)).isTrue();
  }

  private void tick(long at) {
    now = at;
    assertThat(rules.deadline().orElseThrow()).isLessThanOrEqualTo(at);
    assertThat(rules.tick(now)).isFalse();
  }

  @Test
  void aQueueIsOpenedOnlyWhereTheProgramSaysSoAndOnceOnEachConnection() {
    rules.open(EPOCH, at(6), now);
    assertThat(asked).isEmpty();
    rules.live();
    assertThat(asked).isEmpty();
    assertThat(told).containsExactly(new Due());

    rules.open(EPOCH, at(6), now);
    rules.open(EPOCH, at(7), now);
    opened(EPOCH, 7, 9, false);
    rules.open(EPOCH, at(8), now);
    keep(7);
    assertThat(asked).hasSize(1);
    assertThat(request()).isEqualTo(open(6));
    assertThat(told).endsWith(new Opened(EPOCH, at(7), at(9), false, 50, false));

    rules.lost();
    rules.lost();
    assertThat(told).filteredOn(new QueueEvent.Lost()::equals).hasSize(1);
    rules.live();
    rules.open(EPOCH, at(9), now);
    assertThat(request()).isEqualTo(open(9));
  }

  @Test
  void aDeviceWithoutAPositionNamesNoEpoch() {
    rules.live();
    rules.open(null, at(0), now);
    assertThat(request()).isEqualTo("{\"type\":\"queue.open\",\"after\":0}");
  }

  @Test
  void whatComesIsToldInItsOrder() {
    follow(0, 2);
    told.clear();
    come(1, 2);
    rules.frame(ClientJson.object().put("type", "queue.empty").put("queue_seq", 2), now);
    assertThat(told)
        .containsExactly(
            new Came(new QueuedEnvelope.Gone(at(1), EPOCH)),
            new Came(new QueuedEnvelope.Gone(at(2), EPOCH)),
            new QueueEvent.Drained(at(2)));
  }

  @Test
  void ofWhatIsKeptTheHighestAloneIsTold() {
    follow(0, 5);
    come(1, 5);
    keep(1);
    keep(2);
    keep(4);
    keep(3);
    assertThat(asked).hasSize(2);
    assertThat(request()).isEqualTo(ack(1));

    answer();
    assertThat(told).endsWith(new Acknowledged(EPOCH, at(1)));
    assertThat(asked).hasSize(3);
    assertThat(request()).isEqualTo(ack(4));
    answer();
    assertThat(asked).hasSize(3);
    assertThat(rules.deadline()).isEmpty();
  }

  @Test
  void whatIsUnavailableIsAskedAgainAfterAPause() {
    follow(0, 3);
    come(1, 3);
    keep(2);
    refuse("unavailable", true, 700);
    keep(3);
    assertThat(asked).hasSize(2);
    assertThat(rules.deadline()).hasValue(700);

    tick(700);
    assertThat(request()).isEqualTo(ack(3));
    refuse("rate_limited", true, 0);
    assertThat(rules.deadline()).hasValue(1_200);
    tick(1_200);
    answer();
    assertThat(told).endsWith(new Acknowledged(EPOCH, at(3)));

    keep(3);
    assertThat(rules.deadline()).isEmpty();
  }

  @Test
  void aQueueThatCannotBeOpenedNowIsOpenedLater() {
    rules.live();
    rules.open(EPOCH, at(6), now);
    refuse("unavailable", true, 100);
    tick(100);
    assertThat(asked).hasSize(2);
    assertThat(request()).isEqualTo(open(6));
    opened(EPOCH, 7, 6, false);
    assertThat(rules.deadline()).isEmpty();
  }

  @Test
  void aRefusalToOpenIsToldAndTheProgramMayAskAgain() {
    rules.live();
    rules.open(EPOCH, at(6), now);
    refuse("conflict", false, 0);
    assertThat(told.getLast())
        .isInstanceOfSatisfying(
            NotOpened.class, event -> assertThat(event.refusal().code()).isEqualTo("conflict"));
    assertThat(rules.deadline()).isEmpty();

    rules.open(EPOCH, at(6), now);
    assertThat(asked).hasSize(2);
  }

  @Test
  void whatHadNoAnswerIsToldAgainOnTheNextConnection() {
    follow(0, 3);
    come(1, 3);
    keep(2);
    rules.lost();
    keep(3);
    assertThat(asked).hasSize(2);
    assertThat(rules.deadline()).isEmpty();

    rules.live();
    rules.open(EPOCH, at(3), now);
    assertThat(asked).hasSize(3);
    opened(EPOCH, 1, 3, false);
    assertThat(request()).isEqualTo(ack(3));
  }

  @Test
  void whatTheServerHasAlreadyIsNotToldAgain() {
    follow(0, 3);
    come(1, 3);
    keep(3);
    rules.lost();
    follow(3, 3);
    assertThat(asked).hasSize(3);
    assertThat(request()).isEqualTo(open(3));
  }

  @Test
  void aPositionThatNobodyAcknowledgedCanBe() {
    rules.live();
    rules.open(EPOCH, at(5), now);
    opened(EPOCH, 1, 7, false);
    keep(5);
    assertThat(request()).isEqualTo(ack(5));
  }

  @Test
  void nothingIsToldOfWhatDidNotComeHere() {
    follow(0, 3);
    come(1, 1);
    keep(3);
    rules.reject(EPOCH, at(3), "undecryptable", now);
    assertThat(request()).isEqualTo(ack(1));
    answer();
    assertThat(asked).hasSize(2);

    come(2, 3);
    assertThat(request()).isEqualTo(ack(2));
    answer();
    assertThat(request()).isEqualTo(reject(3, "undecryptable"));
  }

  @Test
  void numbersOfAnotherEpochAreNothingToAcknowledge() {
    follow(0, 5);
    come(1, 5);
    keep(5);
    rules.reject(EPOCH, at(4), "undecryptable", now);
    rules.lost();
    rules.live();
    rules.open(EPOCH, at(5), now);
    opened(RESTORED, 1, 9, true);
    assertThat(request()).isEqualTo(open(5));
    come(1, 9);
    keep(5);
    rules.reject(EPOCH, at(4), "undecryptable", now);
    assertThat(request()).isEqualTo(open(5));

    rules.acknowledge(RESTORED, at(2), now);
    assertThat(request()).isEqualTo(ack(2));
  }

  @Test
  void aQueueThatBeganAnewKeepsNothingOfTheOneBefore() {
    follow(0, 5);
    come(1, 5);
    keep(5);
    rules.lost();
    rules.live();
    rules.open(EPOCH, at(5), now);
    opened(EPOCH, 1, 2, true);
    come(1, 1);
    assertThat(request()).isEqualTo(open(5));
    keep(2);
    assertThat(request()).isEqualTo(ack(1));
  }

  @Test
  void whatIsBehindAnUnreadableOneIsAcknowledgedAfterTheAnswerToThat() {
    follow(0, 5);
    come(1, 5);
    rules.reject(EPOCH, at(3), "undecryptable", now);
    rules.reject(EPOCH, at(5), "no_session", now);
    keep(5);
    assertThat(asked).hasSize(2);
    assertThat(request()).isEqualTo(reject(3, "undecryptable"));
    refuse("unavailable", true, 100);
    tick(100);
    assertThat(request()).isEqualTo(reject(3, "undecryptable"));
    answer();
    assertThat(told).endsWith(new Rejected(EPOCH, at(3)));
    assertThat(request()).isEqualTo(reject(5, "no_session"));
    answer();
    assertThat(request()).isEqualTo(ack(5));
  }

  @Test
  void anUnreadableOneIsToldAgainOnTheNextConnectionBeforeItIsAcknowledged() {
    follow(0, 3);
    come(1, 3);
    rules.reject(EPOCH, at(2), "undecryptable", now);
    keep(3);
    rules.lost();
    rules.live();
    rules.open(EPOCH, at(3), now);
    opened(EPOCH, 1, 3, false);
    assertThat(request()).isEqualTo(reject(2, "undecryptable"));
    answer();
    assertThat(request()).isEqualTo(ack(3));
  }

  @Test
  void anUnreadableOneThatIsNotThereAnyMoreIsDone() {
    follow(0, 1);
    come(1, 1);
    rules.reject(EPOCH, at(1), "undecryptable", now);
    refuse("not_found", false, 0);
    assertThat(told).endsWith(new Rejected(EPOCH, at(1)));
    assertThat(asked).hasSize(2);
  }

  @Test
  void whatIsRefusedForGoodIsNotToldAgainOnThisConnection() {
    follow(0, 2);
    come(1, 2);
    rules.reject(EPOCH, at(1), "undecryptable", now);
    refuse("invalid_field", false, 0);
    assertThat(told.getLast()).isInstanceOf(Came.class);
    keep(1);
    refuse("invalid_field", false, 0);
    assertThat(told.getLast()).isInstanceOf(Came.class);
    assertThat(asked).hasSize(3);

    keep(2);
    assertThat(request()).isEqualTo(ack(2));
  }

  @Test
  void answersThatDoNotComeEndTheConnection() {
    follow(0, 1);
    come(1, 1);
    keep(1);
    assertThat(rules.deadline()).hasValue(30_000);
    assertThat(rules.tick(29_999)).isFalse();
    assertThat(asked).hasSize(2);
    assertThat(rules.tick(30_000)).isTrue();
  }

  @Test
  void answersToOthersAreNone() {
    follow(0, 1);
    come(1, 1);
    keep(1);
    String before = id();
    assertThat(rules.answered("seat-1", now)).isFalse();
    answer();
    assertThat(rules.answered(before, now)).isFalse();
    assertThat(rules.answered("", now)).isFalse();
  }
}
