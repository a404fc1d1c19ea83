package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is told besides the numbered events of rooms: who types, what was received and read,
/// who is there, where the account is inside, and what comes from the queue of the device.
final class Signals {
  private final Consumer<Action> out;
  private final OwnMarkers markers;
  private final OwnTyping typing;
  private final TypingPeople people;
  private final OwnWatch watch;
  private final OwnSeats seats;
  private final QueueRules queue;
  private String account = "";

  Signals(ClientOptions options, Backoff backoff, Consumer<Action> out) {
    this.out = out;
    this.markers = new OwnMarkers(options.confirmsDelivered(), out);
    this.typing = new OwnTyping(out);
    this.people = new TypingPeople(out);
    this.watch = new OwnWatch(out);
    this.seats = new OwnSeats(backoff, out);
    this.queue = new QueueRules(backoff, out);
  }

  OwnMarkers markers() {
    return markers;
  }

  OwnTyping typing() {
    return typing;
  }

  OwnWatch watch() {
    return watch;
  }

  OwnSeats seats() {
    return seats;
  }

  QueueRules queue() {
    return queue;
  }

  void welcomed(JsonNode welcome, long now) {
    account = welcome.path("account_id").asText();
    people.welcomed(welcome, now);
    for (JsonNode room : welcome.path("rooms")) {
      listed(room(room), room.path("receipts").asBoolean());
    }
  }

  /// A room that the account is in.
  void listed(RoomId room, boolean receipts) {
    markers.follow(room);
    markers.receipts(room, receipts);
  }

  /// Rooms are followed.
  void live(long now) {
    typing.online();
    markers.online(now);
    watch.online();
    seats.live(now);
    queue.live();
  }

  void lost() {
    markers.lost();
    typing.lost();
    people.lost();
    watch.lost();
    seats.lost();
    queue.lost();
  }

  void frame(JsonNode frame, long now) {
    switch (frame.path("type").asText()) {
      case "marker" -> marker(frame);
      case "unread" -> out(unread(frame));
      case "typing" -> typing(frame, now);
      case "typing.stop" -> people.stopped(room(frame), who(frame));
      case "message.ack" -> receipt(frame);
      case "presence.state" -> watch.state(frame);
      case "presence" -> watch.person(frame);
      case "presence.count" -> watch.count(frame);
      case "seat.inside", "seat.waiting", "seat.offer" -> seats.told(frame);
      case "seat.lost" -> seats.taken(frame);
      case "queue.opened", "envelope.receive", "queue.empty", "keys.low", "devices.changed" ->
          queue.frame(frame, now);
      default -> {}
    }
  }

  /// The request of this number was done.
  void answered(String re, long now) {
    if (!seats.answered(re) && !queue.answered(re, now)) {
      markers.answered(re, now);
    }
  }

  /// Whether the request of this number, which was refused, was one of these.
  boolean refused(String re, JsonNode error, long now) {
    return seats.refused(re, error, now)
        || queue.refused(re, error, now)
        || markers.refused(re, error, now)
        || watch.refused(re, error, now);
  }

  private void typing(JsonNode frame, long now) {
    if (markers.follows(room(frame))) {
      people.typing(room(frame), who(frame), frame.path("until").asLong(), now);
    }
  }

  private void marker(JsonNode frame) {
    if (frame.has("delivered_from")) {
      Seq from = new Seq(frame.path("delivered_from").asLong());
      Seq to = new Seq(frame.path("delivered_seq").asLong());
      out(new RoomSignal.Arrived(room(frame), who(frame), from, to));
    } else {
      progress(frame);
    }
  }

  private void progress(JsonNode frame) {
    RoomSignal.Marker marker =
        new RoomSignal.Marker(
            room(frame),
            who(frame),
            seq(frame, "read_seq"),
            seq(frame, "delivered_seq"),
            seq(frame, "unread_from"));
    if (frame.path("account_id").asText().equals(account)) {
      markers.known(marker);
    }
    out(marker);
  }

  private static RoomSignal unread(JsonNode frame) {
    return new RoomSignal.Unread(
        room(frame),
        frame.path("unread").asLong(),
        frame.path("mentions").asLong(),
        frame.path("total").asLong(),
        new Seq(frame.path("seq").asLong()));
  }

  private void receipt(JsonNode ack) {
    Seq seq = new Seq(ack.path("seq").asLong());
    switch (ack.path("status").asText()) {
      case "delivered" -> out(new RoomSignal.Delivered(room(ack), seq));
      case "read" -> out(new RoomSignal.Read(room(ack), seq));
      case "failed" -> out(undelivered(ack, seq));
      default -> {}
    }
  }

  private static RoomSignal undelivered(JsonNode ack, Seq seq) {
    return new RoomSignal.Undelivered(room(ack), who(ack), seq, ack.path("reason").asText());
  }

  private void out(RoomSignal signal) {
    if (markers.follows(signal.roomId())) {
      out.accept(new Action.Signal(signal));
    }
  }

  /// What the rules decided to do besides: a message that is shown was received, and is no longer
  /// typed.
  void noticed(Action action, long now) {
    switch (action) {
      case Action.Update(RoomUpdate.Said(ChatMessage message)) -> {
        people.stopped(message.roomId(), message.senderId());
        received(message, now);
      }
      case Action.Update(RoomUpdate.Reset reset) ->
          reset.page().messages().forEach(message -> received(message, now));
      case Action.Added(RoomPosition room) -> markers.follow(room.roomId());
      case Action.Removed(RoomId room, _) -> {
        markers.end(room);
        people.end(room);
        seats.end(room);
      }
      default -> {}
    }
  }

  private void received(ChatMessage message, long now) {
    if (!message.senderId().toString().equals(account)) {
      markers.received(message.roomId(), message.seq(), now);
    }
  }

  OptionalLong deadline() {
    return Stream.of(
            markers.deadline(),
            people.deadline(),
            watch.deadline(),
            seats.deadline(),
            queue.deadline())
        .flatMapToLong(OptionalLong::stream)
        .min();
  }

  /// Does what is due.
  ///
  /// @return whether an answer is overdue, so that the connection must be dropped
  boolean tick(long now) {
    markers.tick(now);
    people.tick(now);
    watch.tick(now);
    seats.tick(now);
    return queue.tick(now);
  }

  private static RoomId room(JsonNode frame) {
    return RoomId.parse(frame.path("room_id").asText());
  }

  private static AccountId who(JsonNode frame) {
    return AccountId.parse(frame.path("account_id").asText());
  }

  private static @Nullable Seq seq(JsonNode frame, String field) {
    return frame.has(field) ? new Seq(frame.path(field).asLong()) : null;
  }
}
