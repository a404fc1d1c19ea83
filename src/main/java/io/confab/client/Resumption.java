package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/// How the rooms of a new connection are resumed: a page of `resume` after the other, and then the
/// rooms that had no place in `welcome`, once they are listed.
final class Resumption {
  private static final long RETRY_MS = 1_000;

  private final RoomLogs rooms;
  private final Consumer<Action> out;
  private final Set<String> unanswered = new HashSet<>();
  private int pages;
  private JsonNode limits = MissingNode.getInstance();
  private boolean moreRooms;

  /// When to list the rooms again.
  private OptionalLong listAt = OptionalLong.empty();

  Resumption(RoomLogs rooms, Consumer<Action> out) {
    this.rooms = rooms;
    this.out = out;
  }

  void welcomed(JsonNode welcome) {
    limits = welcome.path("limits");
    moreRooms = welcome.path("more_rooms").asBoolean();
    rooms.welcomed(welcome).forEach(this::resume);
  }

  private void resume(ObjectNode page) {
    String id = "resume-" + ++pages;
    unanswered.add(id);
    out.accept(new Action.Transmit(page.put("id", id)));
  }

  /// A page is answered.
  ///
  /// @return whether it was the last one
  boolean resumed(JsonNode resumed) {
    rooms.resumed(resumed.path("rooms"));
    return unanswered.remove(resumed.path("re").asText()) && unanswered.isEmpty();
  }

  /// Whether this is the id of a page without an answer.
  boolean awaits(String id) {
    return unanswered.contains(id);
  }

  /// Lists the rooms when `welcome` did not name all.
  void listMore() {
    if (moreRooms) {
      moreRooms = false;
      out.accept(new Action.ListRooms());
    }
  }

  void listed(List<RoomPosition> all) {
    rooms.listed(all, limits).forEach(this::resume);
  }

  void listFailed(long now) {
    listAt = OptionalLong.of(now + RETRY_MS);
  }

  void lost() {
    unanswered.clear();
    listAt = OptionalLong.empty();
  }

  OptionalLong deadline() {
    return listAt;
  }

  void tick(long now) {
    if (listAt.isPresent() && listAt.getAsLong() <= now) {
      listAt = OptionalLong.empty();
      out.accept(new Action.ListRooms());
    }
  }
}
