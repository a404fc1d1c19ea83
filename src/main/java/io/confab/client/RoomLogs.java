package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The logs of an account's rooms: from where each is resumed, and which one gets a frame.
final class RoomLogs {
  /// An upper bound of the bytes that a room takes in a `resume`.
  private static final int POINT_BYTES = 128;

  private static final Duration RETRY = Duration.ofSeconds(1);

  /// One who is outside may be let read without being told.
  private static final Duration OUTSIDE = Duration.ofSeconds(10);

  private final Map<RoomId, RoomLog> logs = new LinkedHashMap<>();

  /// Named in `resume`, or in `welcome`, of the present connection.
  private final Set<RoomId> covered = new HashSet<>();

  /// How many logs there have been.
  private int begun;

  private final Predicate<RoomId> readsNewest;
  private final Consumer<Action> out;

  RoomLogs(List<RoomPosition> known, Predicate<RoomId> readsNewest, Consumer<Action> out) {
    this.readsNewest = readsNewest;
    this.out = out;
    known.forEach(this::newLog);
  }

  private RoomLog newLog(RoomPosition start) {
    RoomLog log = new RoomLog(++begun, start, out);
    logs.put(start.roomId(), log);
    return log;
  }

  List<RoomPosition> positions() {
    return logs.values().stream().filter(RoomLog::isResumable).map(RoomLog::position).toList();
  }

  /// The pages of the `resume` that answers a `welcome`: all rooms with a position. The others
  /// go live from where `welcome` says that they stand.
  List<ObjectNode> welcomed(JsonNode welcome) {
    covered.clear();
    List<RoomPosition> resumed = positions();
    resumed.forEach(position -> covered.add(position.roomId()));
    for (JsonNode node : welcome.path("rooms")) {
      RoomPosition room = ClientJson.read(node, RoomPosition.class);
      if (covered.add(room.roomId())) {
        begin(room);
      }
    }
    if (!welcome.path("more_rooms").asBoolean()) {
      logs.keySet().stream().filter(room -> !covered.contains(room)).toList().forEach(this::gone);
    }
    return resumes(resumed, perPage(welcome.path("limits")), true);
  }

  private void gone(RoomId room) {
    remove(room, "gone");
  }

  private void begin(RoomPosition room) {
    RoomLog log = logs.get(room.roomId());
    if (log != null) {
      log.readNewest(room.epoch(), room.rev(), false);
      return;
    }
    log = newLog(room);
    out.accept(new Action.Added(room));
    if (readsNewest.test(room.roomId())) {
      log.readNewest(room.epoch(), room.rev(), false);
    }
  }

  /// All rooms of the account are known: those that are not live yet are resumed.
  List<ObjectNode> listed(List<RoomPosition> rooms, JsonNode limits) {
    List<RoomPosition> missing = rooms.stream().filter(room -> covered.add(room.roomId())).toList();
    missing.forEach(this::begin);
    logs.keySet().stream().filter(room -> !covered.contains(room)).toList().forEach(this::gone);
    return missing.isEmpty() ? List.of() : resumes(missing, perPage(limits), false);
  }

  private static int perPage(JsonNode limits) {
    int rooms = limits.path("rooms").asInt(POINT_BYTES);
    int bytes = limits.path("frame_bytes").asInt(1 << 16);
    return Math.max(1, Math.min(rooms, (bytes - POINT_BYTES) / POINT_BYTES));
  }

  private static List<ObjectNode> resumes(List<RoomPosition> rooms, int perPage, boolean last) {
    List<ObjectNode> pages = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(from + perPage, rooms.size());
      ObjectNode page = ClientJson.object().put("type", "resume");
      ArrayNode points = page.putArray("rooms");
      for (RoomPosition room : rooms.subList(from, to)) {
        points
            .addObject()
            .put("room_id", room.roomId().toString())
            .put("epoch", room.epoch().value())
            .put("rev", room.rev().value());
      }
      pages.add(page.put("last", last && to == rooms.size()));
      from = to;
    } while (from < rooms.size());
    return pages;
  }

  /// Answers to a `resume`.
  void resumed(JsonNode rooms) {
    for (JsonNode node : rooms) {
      RoomId room = RoomId.parse(node.path("room_id").asText());
      RoomLog log = logs.get(room);
      if (log != null && node.path("gone").asBoolean()) {
        gone(room);
      } else if (log != null && !node.path("recovered").asBoolean()) {
        log.unrecovered(epoch(node), rev(node));
      }
    }
  }

  /// A frame of one room; a room that is not followed is ignored.
  void frame(JsonNode frame, long now) {
    RoomLog log = logs.get(RoomId.parse(frame.path("room_id").asText()));
    if (log == null) {
      return;
    }
    if (frame.path("type").asText().equals("room.gap")) {
      log.unrecovered(epoch(frame), rev(frame));
    } else {
      log.event(RoomEvent.read(frame), now);
    }
  }

  /// A membership began, or the server repeats one that is known.
  void added(RoomPosition room) {
    covered.add(room.roomId());
    RoomLog log = logs.get(room.roomId());
    if (log == null) {
      begin(room);
      return;
    }
    RoomPosition mine = log.position();
    if (!mine.epoch().equals(room.epoch()) || room.rev().isAfter(mine.rev())) {
      log.unrecovered(room.epoch(), room.rev());
    }
  }

  void remove(RoomId room, String reason) {
    if (logs.remove(room) != null) {
      out.accept(new Action.Removed(room, reason));
    }
  }

  void lost() {
    logs.values().forEach(RoomLog::lost);
  }

  void historyRead(Action.ReadHistory read, HistoryPage page, long now) {
    asker(read).ifPresent(log -> log.historyRead(page, now));
  }

  void eventsRead(Action.ReadEvents read, EventPage page, long now) {
    asker(read).ifPresent(log -> log.eventsRead(page, now));
  }

  void readFailed(Action.Read read, ApiException failure, long now) {
    Optional<RoomLog> asker = asker(read);
    if (failure.is(ErrorCode.NOT_FOUND) || failure.is(ErrorCode.FORBIDDEN)) {
      asker.ifPresent(_ -> gone(read.room()));
    } else {
      Duration pause = failure.is(ErrorCode.NO_SEAT) ? OUTSIDE : RETRY;
      asker.ifPresent(log -> log.readFailed(read, now + pause.toMillis()));
    }
  }

  /// The account may read this room now.
  void readable(RoomId room, long now) {
    RoomLog log = logs.get(room);
    if (log != null) {
      log.readable(now);
    }
  }

  /// The log that asked; empty where it has ended, whatever has begun since.
  private Optional<RoomLog> asker(Action.Read read) {
    return Optional.ofNullable(logs.get(read.room())).filter(log -> log.number() == read.log());
  }

  OptionalLong deadline() {
    return logs.values().stream().map(RoomLog::deadline).flatMapToLong(OptionalLong::stream).min();
  }

  void tick(long now) {
    logs.values().forEach(log -> log.tick(now));
  }

  private static Epoch epoch(JsonNode node) {
    return new Epoch(node.path("epoch").asLong());
  }

  private static Rev rev(JsonNode node) {
    return new Rev(node.path("rev").asLong());
  }
}
