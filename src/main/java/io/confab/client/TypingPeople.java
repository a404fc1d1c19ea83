package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Who else types where: until the server says that it is over, or for as long as it said, five
/// seconds at most.
final class TypingPeople {
  private static final int MOST = 1_000;
  private static final long LONGEST_MS = 5_000;

  private final Consumer<Action> out;

  /// Until when each is shown.
  private final Map<Typist, Long> shown = new LinkedHashMap<>();

  /// What the server's clock is ahead of this one's.
  private long ahead;

  private record Typist(RoomId room, AccountId account) {}

  TypingPeople(Consumer<Action> out) {
    this.out = out;
  }

  void welcomed(JsonNode welcome, long now) {
    ahead = welcome.path("server_time").asLong() - now;
  }

  void typing(RoomId room, AccountId account, long until, long now) {
    Typist typist = new Typist(room, account);
    long end = now + Math.clamp(until - ahead - now, 0, LONGEST_MS);
    if (end == now || (shown.size() >= MOST && !shown.containsKey(typist))) {
      return;
    }
    if (shown.put(typist, end) == null) {
      out.accept(new Action.Signal(new RoomSignal.Typing(room, account, true)));
    }
  }

  void stopped(RoomId room, AccountId account) {
    end(new Typist(room, account));
  }

  private void end(Typist typist) {
    if (shown.remove(typist) != null) {
      out.accept(new Action.Signal(new RoomSignal.Typing(typist.room(), typist.account(), false)));
    }
  }

  private void endAll(Predicate<Typist> which) {
    List.copyOf(shown.keySet()).stream().filter(which).forEach(this::end);
  }

  /// The room is not followed any more.
  void end(RoomId room) {
    endAll(typist -> typist.room().equals(room));
  }

  void lost() {
    endAll(_ -> true);
  }

  OptionalLong deadline() {
    return shown.values().stream().mapToLong(Long::longValue).min();
  }

  void tick(long now) {
    endAll(typist -> shown.getOrDefault(typist, Long.MAX_VALUE) <= now);
  }
}
