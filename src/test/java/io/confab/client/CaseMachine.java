package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// The rules of a client with inputs and outputs as the shared cases write them.
final class CaseMachine {
  private static final double USUAL_CHANCE = 0.5;

  private final List<Action> actions = new ArrayList<>();
  private final List<Action.Read> reads = new ArrayList<>();
  private final SessionRules rules;
  private long now;

  CaseMachine(JsonNode options) {
    ClientOptions usual = ClientOptions.usual();
    Set<String> readsNewest = new HashSet<>();
    options.path("reads_newest").forEach(room -> readsNewest.add(room.asText()));
    List<RoomPosition> positions = new ArrayList<>();
    options
        .path("positions")
        .forEach(position -> positions.add(ClientJson.read(position, RoomPosition.class)));
    this.rules =
        new SessionRules(
            options.path("servers").asInt(1),
            usual
                .queueLimit(options.path("queue_limit").asInt(usual.queueLimit()))
                .readsNewest(room -> readsNewest.contains(room.toString()))
                .positions(positions)
                .confirmsDelivered(options.path("confirms_delivered").asBoolean(true)),
            chance(options.path("random")),
            this::keep);
  }

  /// No case is about queues, which open only where the program says so.
  private void keep(Action action) {
    if (!(action instanceof Action.Queue)) {
      actions.add(action);
    }
  }

  private static RandomGenerator chance(JsonNode numbers) {
    Deque<Double> drawn = new ArrayDeque<>();
    numbers.forEach(number -> drawn.add(number.asDouble()));
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new UnsupportedOperationException("only fractions are drawn");
      }

      @Override
      public double nextDouble() {
        return drawn.isEmpty() ? USUAL_CHANCE : drawn.removeFirst();
      }
    };
  }

  /// Does one step; its outputs, in order.
  List<JsonNode> step(JsonNode step) {
    now = step.path("at").asLong(now);
    Map.Entry<String, JsonNode> input = step.path("in").properties().iterator().next();
    boolean wasDue = rules.deadline().orElse(Long.MAX_VALUE) <= now;
    input(input.getKey(), input.getValue());
    if (input.getKey().equals("tick") && !actions.isEmpty() && !wasDue) {
      throw new AssertionError("nobody would have come back in time");
    }
    actions.forEach(this::keepRead);
    List<JsonNode> outputs = actions.stream().map(CaseMachine::output).toList();
    actions.clear();
    return outputs;
  }

  private void keepRead(Action action) {
    if (action instanceof Action.Read read) {
      reads.add(read);
    }
  }

  /// The read that an input answers: the last one of its kind and room, or the one it names.
  private <T extends Action.Read> T read(Class<T> kind, JsonNode in) {
    List<T> made =
        reads.stream()
            .filter(read -> kind.isInstance(read) && read.room().equals(room(in)))
            .map(kind::cast)
            .toList();
    return made.get(in.path("nth").asInt(made.size()) - 1);
  }

  private void input(String kind, JsonNode in) {
    switch (kind) {
      case "connect" -> rules.connect(now);
      case "close" -> rules.close(now);
      case "probe" -> rules.probe(now);
      case "send" -> rules.send(outgoing(in), now);
      case "read" -> rules.read(room(in), new Seq(in.path("seq").asLong()), now);
      case "unread" -> rules.forgetRead(room(in));
      case "typing" -> rules.typing(room(in), now);
      case "typing_stop" -> rules.stopTyping(now);
      case "enter" -> rules.enter(room(in), now);
      case "exit" -> rules.exit(room(in), now);
      case "opened" -> rules.opened(now);
      case "unopened" -> rules.unopened(now);
      case "closed" -> rules.closed(in.path("code").asInt(1006), now);
      case "frame" -> rules.frame(in, now);
      case "tick" -> rules.tick(now);
      case "token_renewed" -> rules.tokenRenewed(now);
      case "token_refused" -> rules.tokenRefused();
      case "token_unavailable" -> rules.tokenUnavailable(now);
      case "history" ->
          rules.historyRead(
              read(Action.ReadHistory.class, in), ClientJson.read(in, HistoryPage.class), now);
      case "events" ->
          rules.eventsRead(
              read(Action.ReadEvents.class, in), ClientJson.read(in, EventPage.class), now);
      case "history_failed" ->
          rules.readFailed(read(Action.ReadHistory.class, in), ApiErrors.read(in, 0), now);
      case "events_failed" ->
          rules.readFailed(read(Action.ReadEvents.class, in), ApiErrors.read(in, 0), now);
      case "rooms" ->
          rules.roomsListed(
              SharedCasesTest.elements(in.path("rooms"))
                  .map(room -> ClientJson.read(room, RoomPosition.class))
                  .toList(),
              SharedCasesTest.elements(in.path("rooms"))
                  .filter(room -> room.path("receipts").asBoolean())
                  .map(CaseMachine::room)
                  .collect(Collectors.toSet()),
              now);
      case "rooms_failed" -> rules.listFailed(now);
      default -> throw new AssertionError("unknown input " + kind);
    }
  }

  private static RoomId room(JsonNode in) {
    return RoomId.parse(in.path("room_id").asText());
  }

  private static Outgoing outgoing(JsonNode in) {
    return new Outgoing(
        room(in),
        new ClientId(in.path("client_id").asText()),
        in.path("body").asText().repeat(in.path("times").asInt(1)),
        in.has("reply_to") ? new Seq(in.path("reply_to").asLong()) : null,
        in.has("topic") ? in.path("topic").asText() : null);
  }

  private static JsonNode output(Action action) {
    return switch (action) {
      case Action.Connect(int server) -> of("connect", object().put("server", server));
      case Action.Transmit(ObjectNode frame) -> of("frame", frame);
      case Action.HangUp() -> of("hang_up", object());
      case Action.RenewToken() -> of("renew_token", object());
      case Action.ReadHistory read -> of("read_history", at(read.room()));
      case Action.ReadEvents ask ->
          of(
              "read_events",
              at(ask.room())
                  .put("epoch", ask.epoch().value())
                  .put("after_rev", ask.after().value()));
      case Action.ListRooms() -> of("list_rooms", object());
      case Action.StateChanged change -> of("state", state(change));
      case Action.Added(RoomPosition room) -> of("added", ClientJson.write(room));
      case Action.Removed(RoomId room, String reason) ->
          of("removed", at(room).put("reason", reason));
      case Action.Update(RoomUpdate update) -> update(update);
      case Action.Signal(RoomSignal signal) -> signal(signal);
      case Action.Watched(PresenceSignal signal) -> of("watched", ClientJson.write(signal));
      case Action.Queue queue -> throw new AssertionError("not kept: " + queue);
      case Action.NotEntered(RoomId room, ApiException refusal) ->
          of("not_entered", at(room).put("code", refusal.code()));
      case Action.Stored(SentMessage message) -> of("stored", stored(message));
      case Action.Delayed(ClientId clientId, ApiException refusal, long until) ->
          of(
              "delayed",
              object()
                  .put("client_id", clientId.value())
                  .put("code", refusal.code())
                  .put("until", until));
      case Action.Failed(ClientId clientId, ApiException refusal) ->
          of("failed", object().put("client_id", clientId.value()).put("code", refusal.code()));
    };
  }

  private static ObjectNode state(Action.StateChanged change) {
    ObjectNode state =
        object().put("state", change.state().name().toLowerCase(java.util.Locale.ROOT));
    if (!change.why().isEmpty()) {
      state.put("why", change.why());
    }
    if (change.state() == ConnectionState.WAITING) {
      state.put("retry_in_ms", change.retryIn().toMillis());
    }
    return state;
  }

  private static ObjectNode stored(SentMessage message) {
    ObjectNode stored =
        object()
            .put("client_id", message.clientId().value())
            .put("seq", message.seq().value())
            .put("rev", message.rev().value());
    return message.duplicate() ? stored.put("duplicate", true) : stored;
  }

  private static JsonNode signal(RoomSignal signal) {
    return switch (signal) {
      case RoomSignal.Marker marker -> of("marker", ClientJson.write(marker));
      case RoomSignal.Delivered delivered -> of("delivered", ClientJson.write(delivered));
      case RoomSignal.Read read -> of("read", ClientJson.write(read));
      case RoomSignal.Arrived _, RoomSignal.Undelivered _ ->
          throw new AssertionError("no case is about sealed rooms");
      case RoomSignal.Unread unread -> of("unread", ClientJson.write(unread));
      case RoomSignal.Typing typing -> of("typing", ClientJson.write(typing));
      case RoomSignal.SeatInside inside -> of("seat_inside", ClientJson.write(inside));
      case RoomSignal.SeatWaiting waiting -> of("seat_waiting", ClientJson.write(waiting));
      case RoomSignal.SeatOffer offer -> of("seat_offer", ClientJson.write(offer));
      case RoomSignal.SeatLost lost -> of("seat_lost", ClientJson.write(lost));
    };
  }

  private static JsonNode update(RoomUpdate update) {
    ObjectNode what = at(update.roomId());
    return switch (update) {
      case RoomUpdate.Said(ChatMessage message) -> of("said", said(what, message));
      case RoomUpdate.Edited(ChatMessage message) -> of("edited", said(what, message));
      case RoomUpdate.Deleted deleted -> of("deleted", what.put("seq", deleted.seq().value()));
      case RoomUpdate.MemberJoined joined ->
          of("joined", what.put("account_id", joined.accountId().toString()));
      case RoomUpdate.MemberLeft left ->
          of(
              "left",
              what.put("account_id", left.accountId().toString()).put("reason", left.reason()));
      case RoomUpdate.MembersChanged many ->
          of("members", what.put("joined", many.joined()).put("left", many.left()));
      case RoomUpdate.Archived _ -> of("archived", what);
      case RoomUpdate.Sealed _, RoomUpdate.RoomSealed _, RoomUpdate.ExpirySet _ ->
          throw new AssertionError("no case is about sealed rooms");
      case RoomUpdate.Other other -> of("other", what.put("kind", other.kind()));
      case RoomUpdate.Reset reset -> {
        var seqs = what.putArray("seqs");
        reset.page().messages().forEach(message -> seqs.add(message.seq().value()));
        yield of("reset", what.put("gap", reset.gap()));
      }
    };
  }

  private static ObjectNode said(ObjectNode what, ChatMessage message) {
    what.put("seq", message.seq().value());
    return message.isDeleted() ? what.put("deleted", true) : what.put("body", message.body());
  }

  private static ObjectNode at(RoomId room) {
    return object().put("room_id", room.toString());
  }

  private static ObjectNode of(String kind, JsonNode what) {
    ObjectNode output = object();
    output.set(kind, what);
    // through text, so that numbers of any width are equal
    return (ObjectNode) ClientJson.tree(output.toString());
  }

  private static ObjectNode object() {
    return ClientJson.object();
  }
}
