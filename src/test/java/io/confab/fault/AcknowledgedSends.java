package io.confab.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.ApiClient;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// What was acknowledged in one room, and with which codes sends were refused.
final class AcknowledgedSends {
  private static final int PAGE = 200;

  private final String room;
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final Set<String> refusals = ConcurrentHashMap.newKeySet();

  AcknowledgedSends(String room) {
    this.room = room;
  }

  String room() {
    return room;
  }

  /// Keeps the answer to a send; whether it is an acknowledgement.
  boolean answered(JsonObject answer) {
    if (!"message.ack".equals(answer.getString("type"))) {
      refusals.add(answer.getString("code"));
      return false;
    }
    long seq = answer.getLong("seq");
    Long before = acknowledged.putIfAbsent(answer.getString("client_id"), seq);
    assertThat(before == null || before == seq).as("one seq for %s", answer).isTrue();
    return true;
  }

  Map<String, Long> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  int size() {
    return acknowledged.size();
  }

  Set<String> refusals() {
    return Set.copyOf(refusals);
  }

  /// Every message of the room, from the first one, as a member reads them.
  List<JsonObject> history(ApiClient member) {
    List<JsonObject> messages = new ArrayList<>();
    long last = 0;
    boolean more = true;
    while (more) {
      JsonObject page =
          member.ok(
              "GET", "/v1/rooms/" + room + "/messages?after=" + last + "&limit=" + PAGE, null);
      page.getJsonArray("messages").forEach(message -> messages.add((JsonObject) message));
      more = page.getBoolean("has_newer");
      last = messages.isEmpty() ? 0 : messages.getLast().getLong("seq");
    }
    return messages;
  }

  /// Seqs are dense, nothing is there twice, everything acknowledged is there under its seq and
  /// with its body.
  void assertKept(List<JsonObject> history) {
    assertThat(history)
        .extracting(message -> message.getLong("seq"))
        .isEqualTo(LongStream.rangeClosed(1, history.size()).boxed().toList());
    Map<String, Long> kept =
        history.stream()
            .collect(
                Collectors.toMap(m -> m.getString("client_id"), m -> m.getLong("seq"))); // no twins
    assertThat(kept).containsAllEntriesOf(acknowledged());
    assertThat(history)
        .allSatisfy(m -> assertThat(m.getString("body")).isEqualTo(body(m.getString("client_id"))));
    assertThat(new HashSet<>(kept.values())).hasSize(kept.size());
  }

  static String body(String clientId) {
    return "text of " + clientId + " äöü";
  }
}
