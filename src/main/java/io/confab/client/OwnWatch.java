package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/// Asks the server to watch who is there, again on each connection, and passes on what it tells. A
/// refusal that may be tried again is, when the server says; another one ends the watch.
final class OwnWatch {
  private static final long PAUSE_MS = 1_000;

  private final Consumer<Action> out;
  private Set<AccountId> accounts = Set.of();
  private Set<RoomId> rooms = Set.of();
  private boolean online;
  private long number;
  private String asked = "";
  private OptionalLong askAt = OptionalLong.empty();

  OwnWatch(Consumer<Action> out) {
    this.out = out;
  }

  /// These are watched from now on, in place of those before.
  void watch(Collection<AccountId> which, Collection<RoomId> where) {
    boolean ends = !isEmpty();
    accounts = Set.copyOf(which);
    rooms = Set.copyOf(where);
    if (online && (ends || !isEmpty())) {
      ask();
    }
  }

  private boolean isEmpty() {
    return accounts.isEmpty() && rooms.isEmpty();
  }

  void online() {
    online = true;
    if (!isEmpty()) {
      ask();
    }
  }

  void lost() {
    online = false;
    asked = "";
    askAt = OptionalLong.empty();
  }

  private void ask() {
    askAt = OptionalLong.empty();
    asked = "watch-" + ++number;
    ObjectNode frame = ClientJson.object().put("type", "presence.watch").put("id", asked);
    ArrayNode people = frame.putArray("accounts");
    accounts.forEach(account -> people.add(account.toString()));
    ArrayNode places = frame.putArray("rooms");
    rooms.forEach(room -> places.add(room.toString()));
    out.accept(new Action.Transmit(frame));
  }

  /// What was answered to a watch before the last one is old.
  void state(JsonNode state) {
    if (state.path("re").asText().equals(asked)) {
      tell(new PresenceSignal.Began());
      state.path("accounts").forEach(this::person);
      state.path("rooms").forEach(this::count);
    }
  }

  void person(JsonNode presence) {
    tell(new PresenceSignal.Person(ClientJson.read(presence, Presence.class)));
  }

  void count(JsonNode count) {
    tell(
        new PresenceSignal.Count(
            RoomId.parse(count.path("room_id").asText()), count.path("online").asLong()));
  }

  private void tell(PresenceSignal signal) {
    if (!isEmpty()) {
      out.accept(new Action.Watched(signal));
    }
  }

  /// Whether it was a watch that was refused.
  boolean refused(String re, JsonNode error, long now) {
    if (re.isEmpty() || !re.equals(asked)) {
      return false;
    }
    if (error.path("retryable").asBoolean()) {
      askAt = OptionalLong.of(now + Math.max(PAUSE_MS, error.path("retry_after_ms").asLong()));
    } else {
      accounts = Set.of();
      rooms = Set.of();
    }
    return true;
  }

  OptionalLong deadline() {
    return askAt;
  }

  void tick(long now) {
    if (askAt.isPresent() && now >= askAt.getAsLong()) {
      ask();
    }
  }
}
