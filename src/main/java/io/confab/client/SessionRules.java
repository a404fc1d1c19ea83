package io.confab.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Decides what a client does and shows when something happens to it: a call of its program, a
/// change of its socket, a frame, an answer over HTTP, or time. Plain code: [RulesLoop], or a test,
/// carries out the actions in their order and calls again at the deadline.
///
/// Times are milliseconds of a clock that only goes forward. One thread at a time.
final class SessionRules {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Consumer<Action> out;
  private final Link link;
  private final RoomLogs rooms;
  private final Outbox outbox;
  private final Resumption resumption;
  private final Signals signals;
  private String account = "";
  private boolean closed;

  /// Why nothing is sent until the program connects again; null where it may be.
  private @Nullable String stopped;

  private long now;

  /// @param servers how many there are
  SessionRules(
      int servers, ClientOptions options, RandomGenerator random, Consumer<Action> actions) {
    this.out = action -> emit(action, actions);
    Backoff backoff = backoff(random);
    this.link = new Link(servers, backoff, out);
    this.rooms = new RoomLogs(options.positions(), options.readsNewest(), out);
    this.resumption = new Resumption(rooms, out);
    this.outbox = new Outbox(options.queueLimit(), backoff, out);
    this.signals = new Signals(options, backoff, out);
  }

  static Backoff backoff(RandomGenerator random) {
    return new Backoff(FIRST_PAUSE, LONGEST_PAUSE, random);
  }

  /// A message of this account that is shown settles its send, whichever way it came. Sends that
  /// are not settled when the client stops fail.
  private void emit(Action action, Consumer<Action> actions) {
    if (action instanceof Action.Update(RoomUpdate.Said(ChatMessage message))) {
      settle(message);
    } else if (action instanceof Action.Update(RoomUpdate.Reset reset)) {
      reset.page().messages().forEach(this::settle);
    }
    actions.accept(action);
    signals.noticed(action, now);
    if (action instanceof Action.StateChanged change) {
      stopped = change.state() == ConnectionState.STOPPED ? change.why() : null;
      giveUpWhenStopped();
    }
  }

  private void giveUpWhenStopped() {
    if (stopped != null) {
      outbox.close(stopped);
      signals.seats().stopped(stopped);
    }
  }

  private void settle(ChatMessage message) {
    if (message.senderId().toString().equals(account)) {
      outbox.seen(message, now);
    }
  }

  void connect(long at) {
    now = at;
    if (!closed) {
      link.connect(now);
    }
  }

  /// The machine slept, or its network changed: the connection may be dead.
  void probe(long at) {
    now = at;
    link.probe(now);
  }

  void send(Outgoing message, long at) {
    now = at;
    signals.typing().sent(message.roomId());
    outbox.add(message, now);
    giveUpWhenStopped();
  }

  /// The person has read up to this message, and is told to have when connected.
  void read(RoomId room, Seq seq, long at) {
    now = at;
    signals.markers().read(room, seq, now);
  }

  /// The person wants to see messages of this room as unread.
  void forgetRead(RoomId room) {
    signals.markers().forgetRead(room);
  }

  /// The program wants to know whether these are there.
  void watch(Set<AccountId> accounts, Set<RoomId> where) {
    signals.watch().watch(accounts, where);
  }

  void typing(RoomId room, long at) {
    now = at;
    signals.typing().typing(room, now);
  }

  void stopTyping(long at) {
    now = at;
    signals.typing().stop(now);
  }

  /// The person wants to be inside a room with a capacity, as soon as there is room.
  void enter(RoomId room, long at) {
    now = at;
    signals.seats().enter(room);
    giveUpWhenStopped();
  }

  void exit(RoomId room, long at) {
    now = at;
    signals.seats().exit(room);
  }

  /// What waits for the device in sealed rooms.
  QueueRules queue() {
    return signals.queue();
  }

  /// Takes another connection in place of this one.
  void reconnect(String why, long at) {
    now = at;
    if (link.isOpen()) {
      drop(why);
    }
  }

  /// Signs off.
  void close(long at) {
    now = at;
    if (closed) {
      return;
    }
    closed = true;
    if (link.isOpen()) {
      transmit(ClientJson.object().put("type", "bye"));
    }
    out.accept(new Action.HangUp());
    lost();
    link.stop("closed");
  }

  void opened(long at) {
    now = at;
    link.opened(now);
  }

  void unopened(long at) {
    now = at;
    link.unopened(now);
  }

  /// @param code of the close frame; 1006 where there was none
  void closed(int code, long at) {
    now = at;
    lost();
    link.closed(code, now);
  }

  private void lost() {
    resumption.lost();
    rooms.lost();
    outbox.lost();
    signals.lost();
  }

  /// A frame was received; types that this version does not know are ignored.
  void frame(JsonNode frame, long at) {
    now = at;
    if (!link.isOpen()) {
      return;
    }
    link.received(now);
    switch (frame.path("type").asText()) {
      case "welcome" -> welcome(frame);
      case "resumed" -> resumed(frame);
      case "message.receive", "room.event", "room.gap" -> ofRoom(frame);
      case "room.added" -> added(frame.path("room"));
      case "room.removed" -> rooms.remove(room(frame), frame.path("reason").asText());
      case "message.ack" -> acknowledged(frame);
      case "seat.inside" -> inside(frame);
      case "ok" -> signals.answered(frame.path("re").asText(), now);
      case "error" -> refused(frame);
      case "goodbye" -> link.goodbye(frame);
      default -> signals.frame(frame, now);
    }
  }

  private void welcome(JsonNode welcome) {
    link.welcomed();
    account = welcome.path("account_id").asText();
    resumption.welcomed(welcome);
    signals.welcomed(welcome, now);
    outbox.online(welcome.path("limits"), now);
  }

  private void resumed(JsonNode resumed) {
    if (resumption.resumed(resumed)) {
      link.live(now);
      signals.live(now);
      resumption.listMore();
    }
  }

  private void ofRoom(JsonNode frame) {
    if (frame.path("type").asText().equals("message.receive")
        && frame.path("sender_id").asText().equals(account)) {
      outbox.seen(ClientJson.read(frame, ChatMessage.class), now);
    }
    if (frame.has("receipts")) {
      signals.markers().receipts(room(frame), frame.path("receipts").asBoolean());
    }
    rooms.frame(frame, now);
  }

  private void added(JsonNode room) {
    rooms.added(ClientJson.read(room, RoomPosition.class));
    signals.listed(room(room), room.path("receipts").asBoolean());
  }

  /// What could not be read from outside can be read now.
  private void inside(JsonNode frame) {
    signals.frame(frame, now);
    rooms.readable(room(frame), now);
  }

  /// An acknowledgement without a `client_id` is about what others have received or read.
  private void acknowledged(JsonNode ack) {
    if (ack.has("client_id")) {
      outbox.acknowledged(ack, now);
    } else {
      signals.frame(ack, now);
    }
  }

  private void refused(JsonNode error) {
    String re = error.path("re").asText();
    if (signals.refused(re, error, now)) {
      return;
    }
    ClientId clientId = new ClientId(error.path("client_id").asText(re));
    if (!outbox.refused(clientId, ApiErrors.read(error, 0), now) && resumption.awaits(re)) {
      drop("resume refused");
    }
  }

  private void drop(String why) {
    lost();
    link.drop(why, now);
  }

  void tokenRenewed(long at) {
    now = at;
    link.tokenRenewed(now);
  }

  /// The sign-in is over, or there is none.
  void tokenRefused() {
    link.tokenRefused();
  }

  void tokenUnavailable(long at) {
    now = at;
    link.tokenUnavailable(now);
  }

  void historyRead(Action.ReadHistory read, HistoryPage page, long at) {
    now = at;
    rooms.historyRead(read, page, now);
  }

  void eventsRead(Action.ReadEvents read, EventPage page, long at) {
    now = at;
    rooms.eventsRead(read, page, now);
  }

  void readFailed(Action.Read read, ApiException failure, long at) {
    now = at;
    rooms.readFailed(read, failure, now);
  }

  /// @param receipts those of the rooms that have receipts
  void roomsListed(List<RoomPosition> all, Set<RoomId> receipts, long at) {
    now = at;
    if (link.isOpen()) {
      resumption.listed(all);
      all.forEach(room -> signals.listed(room.roomId(), receipts.contains(room.roomId())));
    }
  }

  /// The rooms could not be listed.
  void listFailed(long at) {
    now = at;
    resumption.listFailed(now);
  }

  /// When `tick` is due; empty: not before something else happens.
  OptionalLong deadline() {
    return (link.isOpen()
            ? Stream.of(
                link.deadline(),
                rooms.deadline(),
                outbox.deadline(),
                resumption.deadline(),
                signals.deadline())
            : Stream.of(link.deadline()))
        .flatMapToLong(OptionalLong::stream)
        .min();
  }

  void tick(long at) {
    now = at;
    boolean overdue = false;
    if (link.isOpen()) {
      rooms.tick(now);
      resumption.tick(now);
      overdue = signals.tick(now);
    }
    if (link.tick(now)) {
      lost();
    } else if (outbox.tick(now) || overdue) {
      drop("silent");
    }
  }

  List<RoomPosition> positions() {
    return rooms.positions();
  }

  private void transmit(ObjectNode frame) {
    out.accept(new Action.Transmit(frame));
  }

  private static RoomId room(JsonNode frame) {
    return RoomId.parse(frame.path("room_id").asText());
  }
}
