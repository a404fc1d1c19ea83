package io.confab.socket;

import io.confab.config.Config;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.ClientFrame.RoomPoint;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.Resumed;
import io.confab.protocol.ServerFrame.ResumedRoom;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Carries out the `resume` requests of a session: attach, read where the rooms stand, answer,
/// release.
final class ResumeRequest {
  private final RoomStreams streams;
  private final Outbound out;
  private final Epoch epoch;
  private final Config.Limits limits;

  /// How many events may still be replayed.
  private long budget;

  ResumeRequest(RoomStreams streams, Outbound out, Epoch epoch, Config.Limits limits) {
    this.streams = streams;
    this.out = out;
    this.epoch = epoch;
    this.limits = limits;
    this.budget = limits.resumeEventsPerSession();
  }

  /// Whether what the client was told is of an older epoch than this.
  boolean isStaleUnder(Epoch newer) {
    return newer.isAfter(epoch);
  }

  /// Done when `resumed` is sent and the streams are open.
  Future<Void> run(@Nullable String id, Resume resume) {
    Map<String, Optional<RoomId>> named = new LinkedHashMap<>();
    for (int i = 0; i < resume.rooms().size(); i++) {
      String text = resume.rooms().get(i).roomId();
      if (named.put(text, roomId(text)) != null) {
        return Future.failedFuture(
            Refusal.invalidField("rooms[" + i + "].room_id", "is named twice"));
      }
    }
    Set<RoomId> rooms =
        named.values().stream()
            .flatMap(Optional::stream)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (rooms.stream().anyMatch(streams::isStreaming)) {
      return Future.failedFuture(
          new Refusal(ErrorCode.CONFLICT, "rooms", "names a room that is live already"));
    }
    Map<String, Rev> points = points(resume);
    return Future.all(
            rooms.stream()
                .map(room -> streams.admit(room, points.getOrDefault(room.toString(), Rev.ZERO)))
                .toList())
        .compose(_ -> streams.attach(toOpen(rooms, resume.last())))
        .compose(attached -> refreshThoseAhead(resume, attached))
        .map(attached -> plan(resume, attached))
        .compose(plan -> streams.review(plan.skipping()).map(plan))
        .map(
            plan -> {
              release(id, plan);
              return null;
            });
  }

  private static Optional<RoomId> roomId(String text) {
    try {
      return Optional.of(RoomId.parse(text));
    } catch (Refusal noSuchId) {
      return Optional.empty();
    }
  }

  private List<RoomId> toOpen(Set<RoomId> named, boolean last) {
    List<RoomId> rooms = new ArrayList<>(named);
    if (last) {
      rooms.addAll(streams.withoutStream().stream().filter(r -> !named.contains(r)).toList());
    }
    return rooms;
  }

  /// A client may know more than this node has heard: then the database is asked.
  private Future<List<RoomStream>> refreshThoseAhead(Resume resume, List<RoomStream> attached) {
    Map<String, Rev> points = points(resume);
    List<RoomId> ahead =
        attached.stream()
            .filter(s -> points.getOrDefault(s.room().toString(), Rev.ZERO).isAfter(s.head()))
            .map(RoomStream::room)
            .toList();
    return ahead.isEmpty()
        ? Future.succeededFuture(attached)
        : streams.refresh(ahead).map(attached);
  }

  private static Map<String, Rev> points(Resume resume) {
    Map<String, Rev> points = new HashMap<>();
    resume.rooms().forEach(point -> points.put(point.roomId(), point.rev()));
    return points;
  }

  /// How far a client who has everything up to `position` can be told that it is. What another
  /// node told it may still be on its way to this one.
  private Rev reached(RoomStream stream, RoomPoint point) {
    boolean onItsWay =
        point.epoch().equals(epoch)
            && point.rev().isAfter(stream.head())
            && !point.rev().isAfter(stream.known());
    return onItsWay ? point.rev() : stream.head();
  }

  /// Who is outside of a room that is read inside only stays where it is.
  private Rev stood(RoomStream stream, RoomPoint point) {
    boolean exists = point.epoch().equals(epoch) && !point.rev().isAfter(stream.known());
    return exists ? point.rev() : stream.head();
  }

  /// What becomes of the rooms of a request.
  ///
  /// @param named in the order of the request
  /// @param unnamed go live from where `welcome` says
  private record Plan(List<Opening> named, Collection<RoomStream> unnamed) {
    /// Those that are not told all that came after their position.
    List<RoomStream> skipping() {
      return named.stream()
          .filter(opening -> !opening.recovered())
          .flatMap(opening -> Stream.ofNullable(opening.stream()))
          .toList();
    }
  }

  /// One named room.
  ///
  /// @param stream null for a room that is not followed
  /// @param from the rev after which it begins
  /// @param head where the answer says that the room stands
  private record Opening(
      String room, @Nullable RoomStream stream, Rev from, Rev head, boolean recovered) {}

  private Plan plan(Resume resume, List<RoomStream> attached) {
    Map<String, RoomStream> byRoom = new LinkedHashMap<>();
    attached.forEach(stream -> byRoom.put(stream.room().toString(), stream));
    List<Opening> openings = new ArrayList<>();
    for (RoomPoint point : resume.rooms()) {
      RoomStream stream = byRoom.remove(point.roomId());
      if (stream == null) {
        openings.add(new Opening(point.roomId(), null, Rev.ZERO, Rev.ZERO, false));
        continue;
      }
      Rev head = stream.mayRead() ? reached(stream, point) : stood(stream, point);
      long gap = head.value() - point.rev().value();
      boolean recovered =
          point.epoch().equals(epoch)
              && gap >= 0
              && gap <= Math.min(limits.resumeEventsPerRoom(), budget);
      budget -= recovered ? gap : 0;
      openings.add(
          new Opening(point.roomId(), stream, recovered ? point.rev() : head, head, recovered));
    }
    return new Plan(openings, byRoom.values());
  }

  private void release(@Nullable String id, Plan plan) {
    Map<RoomStream, Rev> from = new LinkedHashMap<>();
    List<ResumedRoom> answers = new ArrayList<>();
    for (Opening opening : plan.named()) {
      RoomStream stream = opening.stream();
      if (stream == null || stream.isOver()) {
        answers.add(ResumedRoom.lost(opening.room()));
        continue;
      }
      streams.named(stream.room());
      from.put(stream, opening.from());
      answers.add(ResumedRoom.at(stream.room(), epoch, opening.head(), opening.recovered()));
    }
    plan.unnamed().forEach(stream -> from.put(stream, stream.position()));
    out.send(new Resumed(id, answers));
    streams.open();
    from.forEach(RoomStream::open);
  }
}
