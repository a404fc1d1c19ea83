package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.client.RoomSignal.SeatInside;
import io.confab.client.RoomSignal.SeatLost;
import io.confab.client.RoomSignal.SeatOffer;
import io.confab.client.RoomSignal.SeatWaiting;
import io.confab.client.RoomSignal.Standing;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where this account is inside, or waits. What it had before a lost connection the server takes up
/// by itself and tells; where it tells nothing, the client enters again with its last place if the
/// program entered there, and else seat or place is gone.
final class OwnSeats {
  /// In which a server has told of all that it took up.
  private static final long TOLD_WITHIN_MS = 5_000;

  private static final long NEVER = Long.MAX_VALUE;

  private final Backoff backoff;
  private final Consumer<Action> out;
  private final Map<RoomId, Seat> seats = new LinkedHashMap<>();
  private boolean online;
  private int requests;

  /// One room.
  private static final class Seat {
    private final RoomId room;

    /// Whether this program entered, and is to be inside also after a lost connection.
    private boolean wanted;

    /// The call by which it did so has no answer yet.
    private boolean entering;

    private boolean leaving;
    private @Nullable Standing standing;
    private @Nullable String place;

    /// The request that has no answer yet.
    private @Nullable String asked;

    private long due = NEVER;
    private int failures;

    private Seat(RoomId room) {
      this.room = room;
    }
  }

  OwnSeats(Backoff backoff, Consumer<Action> out) {
    this.backoff = backoff;
    this.out = out;
  }

  void enter(RoomId room) {
    Seat seat = seat(room);
    seat.wanted = true;
    seat.entering = true;
    seat.leaving = false;
    act(seat);
  }

  void exit(RoomId room) {
    Seat seat = seat(room);
    refuse(seat, ApiException.local(ErrorCode.CONFLICT.wire(), "left before"));
    seat.wanted = false;
    seat.leaving = true;
    act(seat);
  }

  private Seat seat(RoomId room) {
    return seats.computeIfAbsent(room, Seat::new);
  }

  /// Rooms are followed.
  void live(long now) {
    online = true;
    for (Seat seat : List.copyOf(seats.values())) {
      if (seat.entering || seat.leaving) {
        act(seat);
      } else {
        seat.due = now + TOLD_WITHIN_MS;
      }
    }
  }

  void lost() {
    online = false;
    for (Seat seat : seats.values()) {
      seat.asked = null;
      seat.due = NEVER;
    }
  }

  /// The client does not connect again by itself.
  void stopped(String why) {
    List<Seat> all = List.copyOf(seats.values());
    seats.clear();
    all.forEach(seat -> refuse(seat, ApiException.local(ApiException.CLOSED, why)));
  }

  /// The membership ended.
  void end(RoomId room) {
    Seat seat = seats.remove(room);
    if (seat != null) {
      refuse(seat, ApiException.local(ErrorCode.NOT_FOUND.wire(), "no longer in this room"));
    }
  }

  /// How the account stands.
  void told(JsonNode frame) {
    Optional<Standing> standing = RoomSeats.read(frame);
    if (standing.isEmpty()) {
      return;
    }
    Seat seat = seat(standing.get().roomId());
    seat.due = NEVER;
    seat.failures = 0;
    seat.entering = false;
    seat.standing = standing.get();
    seat.place =
        switch (standing.get()) {
          case SeatWaiting waiting -> waiting.place();
          case SeatInside _ -> null;
          case SeatOffer _ -> seat.place;
        };
    out.accept(new Action.Signal(standing.get()));
    boolean answers = frame.path("re").asText().equals(seat.asked);
    if (answers) {
      seat.asked = null;
    }
    boolean offered = seat.wanted && standing.get() instanceof SeatOffer && !answers;
    if (seat.leaving || offered) {
      act(seat);
    }
  }

  /// The account has neither seat nor place any more.
  void taken(JsonNode frame) {
    RoomId room = RoomId.parse(frame.path("room_id").asText());
    Seat seat = seats.get(room);
    if (seat != null) {
      gone(seat, frame.path("reason").asText());
    }
  }

  private void gone(Seat seat, String reason) {
    if (seat.standing != null) {
      out.accept(new Action.Signal(new SeatLost(seat.room, reason)));
    }
    seat.standing = null;
    seat.place = null;
    if (!seat.entering && !seat.leaving) {
      seats.remove(seat.room);
    }
  }

  /// Whether the request was one to leave a room.
  boolean answered(String re) {
    Optional<Seat> asker = asker(re);
    asker.ifPresent(
        seat -> {
          seat.asked = null;
          seat.leaving = false;
          gone(seat, "left");
          act(seat);
        });
    return asker.isPresent();
  }

  /// Whether the request was one of these.
  boolean refused(String re, JsonNode error, long now) {
    Optional<Seat> asker = asker(re);
    asker.ifPresent(
        seat -> {
          seat.asked = null;
          refused(seat, ApiErrors.read(error, 0), now);
        });
    return asker.isPresent();
  }

  private void refused(Seat seat, ApiException refusal, long now) {
    if (seat.place != null && refusal.field().filter("place"::equals).isPresent()) {
      seat.place = null;
      act(seat);
    } else if (refusal.retryable()) {
      long pause = backoff.delay(seat.failures++).toMillis();
      long least = refusal.retryAfter().map(Duration::toMillis).orElse(0L);
      seat.due = now + Math.max(1, Math.max(pause, least));
    } else {
      refuse(seat, refusal);
      seat.leaving = false;
      gone(seat, "expired");
    }
  }

  private void refuse(Seat seat, ApiException refusal) {
    if (seat.entering) {
      seat.entering = false;
      out.accept(new Action.NotEntered(seat.room, refusal));
    }
  }

  private Optional<Seat> asker(String re) {
    return seats.values().stream().filter(seat -> re.equals(seat.asked)).findFirst();
  }

  /// Does what is to be done in a room next, one request at a time.
  private void act(Seat seat) {
    if (!online || seat.asked != null || seats.get(seat.room) != seat) {
      return;
    }
    seat.due = NEVER;
    if (seat.leaving) {
      ask(seat, ClientJson.object().put("type", "room.exit"));
    } else if (seat.wanted) {
      ObjectNode enter = ClientJson.object().put("type", "room.enter");
      ask(seat, seat.place == null ? enter : enter.put("place", seat.place));
    } else {
      gone(seat, "expired");
    }
  }

  private void ask(Seat seat, ObjectNode frame) {
    seat.asked = "seat-" + ++requests;
    out.accept(
        new Action.Transmit(frame.put("id", seat.asked).put("room_id", seat.room.toString())));
  }

  OptionalLong deadline() {
    long first = seats.values().stream().mapToLong(seat -> seat.due).min().orElse(NEVER);
    return first == NEVER ? OptionalLong.empty() : OptionalLong.of(first);
  }

  void tick(long now) {
    List.copyOf(seats.values()).stream().filter(seat -> seat.due <= now).forEach(seat -> act(seat));
  }
}
