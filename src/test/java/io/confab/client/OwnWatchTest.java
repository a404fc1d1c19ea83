package io.confab.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OwnWatchTest {
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId TEA = new RoomId(7);

  private final List<ObjectNode> asked = new ArrayList<>();
  private final List<PresenceSignal> told = new ArrayList<>();
  private final OwnWatch watch = new OwnWatch(this::act);

  private void act(Action action) {
    switch (action) {
      case Action.Transmit(ObjectNode frame) -> asked.add(frame);
      case Action.Watched(PresenceSignal signal) -> told.add(signal);
      default -> throw new AssertionError(action);
    }
  }

  private static ObjectNode person(String status) {
    return ClientJson.object().put("account_id", ANN.toString()).put("status", status);
  }

  private static JsonNode state(String re) {
    ObjectNode state = ClientJson.object().put("type", "presence.state").put("re", re);
    state.putArray("accounts").add(person("online"));
    state.putArray("rooms").addObject().put("room_id", TEA.toString()).put("online", 2);
    return state;
  }

  private static PresenceSignal ann(String status) {
    return new PresenceSignal.Person(new Presence(ANN, status, null, null));
  }

  private String request() {
    return asked.getLast().path("id").asText();
  }

  private void watchAnn() {
    watch.watch(Set.of(ANN), Set.of(TEA));
  }

  @Test
  void whatIsWatchedIsAskedForOnEachConnectionAndTold() {
    watchAnn();
    assertThat(asked).isEmpty();
    watch.online();
    assertThat(asked.getLast().path("accounts").path(0).asText()).isEqualTo(ANN.toString());
    assertThat(asked.getLast().path("rooms").path(0).asText()).isEqualTo(TEA.toString());
    watch.state(state(request()));
    watch.person(person("away"));
    watch.count(ClientJson.object().put("room_id", TEA.toString()).put("online", 1));
    assertThat(told)
        .containsExactly(
            new PresenceSignal.Began(),
            ann("online"),
            new PresenceSignal.Count(TEA, 2),
            ann("away"),
            new PresenceSignal.Count(TEA, 1));
    watch.lost();
    watch.online();
    assertThat(asked).hasSize(2);
  }

  @Test
  void anAnswerToAFormerWatchIsOldAndAnEmptyWatchEndsIt() {
    watch.online();
    watchAnn();
    String former = request();
    watch.watch(Set.of(ANN), Set.of());
    watch.state(state(former));
    assertThat(told).isEmpty();
    watch.watch(Set.of(), Set.of());
    assertThat(asked).hasSize(3);
    assertThat(asked.getLast().path("accounts")).isEmpty();
    watch.person(person("online"));
    assertThat(told).isEmpty();
    watch.watch(Set.of(), Set.of());
    assertThat(asked).hasSize(3);
  }

  @Test
  void aRefusalIsTriedAgainWhenTheServerSaysOrEndsTheWatch() {
    watch.online();
    watchAnn();
    ObjectNode later = ClientJson.object().put("retryable", true).put("retry_after_ms", 3_000);
    assertThat(watch.refused("marker-1", later, 10)).isFalse();
    assertThat(watch.refused(request(), later, 10)).isTrue();
    assertThat(watch.deadline()).hasValue(3_010);
    watch.tick(3_009);
    assertThat(asked).hasSize(1);
    watch.tick(3_010);
    assertThat(asked).hasSize(2);
    assertThat(watch.refused(request(), ClientJson.object(), 3_020)).isTrue();
    watch.lost();
    watch.online();
    assertThat(asked).hasSize(2);
  }
}
