package io.confab.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.ledger.Entry;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.simulation.ModelQueues.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Listens on the socket of one client and writes what it hears into the history, before the
/// client's own rules could mend anything.
final class Tap {
  private final SimWorld world;
  private final String client;
  private final AccountId account;

  /// How far the socket has brought each room.
  private final Map<String, At> open = new LinkedHashMap<>();

  private final Map<String, At> welcomed = new LinkedHashMap<>();

  /// Where a view of a room is.
  private record At(long epoch, long rev) {
    static At of(JsonNode frame) {
      return new At(frame.path("epoch").asLong(), frame.path("rev").asLong());
    }
  }

  private final Map<String, Long> asked = new HashMap<>();
  private final Map<String, Transmission> transmissions = new LinkedHashMap<>();
  private final List<Heard> heard = new ArrayList<>();
  private int session;
  private String node = "";
  private long connectedAt;

  /// The first try of a send.
  private static final class Transmission {
    final String room;
    final int session;
    int tries = 1;

    Transmission(String room, int session) {
      this.room = room;
      this.session = session;
    }
  }

  /// An event of a room that reached this account.
  record Heard(String room, long epoch, long rev) {}

  /// A send that was stored at its first and only try, in the order of the tries.
  record InOrder(String room, int session, String clientId) {}

  Tap(SimWorld world, String client, AccountId account) {
    this.world = world;
    this.client = client;
    this.account = account;
  }

  boolean follows(RoomId room) {
    return open.containsKey(room.toString());
  }

  /// Whether all of a room was told.
  boolean isUpToDate(ModelRoom room) {
    return new At(room.epoch.value(), room.rev().value()).equals(open.get(room.id.toString()));
  }

  List<Heard> heard() {
    return heard;
  }

  List<InOrder> triedOnce() {
    List<InOrder> once = new ArrayList<>();
    transmissions.forEach(
        (id, sent) -> {
          if (sent.tries == 1) {
            once.add(new InOrder(sent.room, sent.session, id));
          }
        });
    return once;
  }

  void connected(SimNode to) {
    session++;
    node = to.toString();
    connectedAt = now();
    welcomed.clear();
    asked.clear();
    world.record(new Entry.Connected(now(), client, node));
  }

  /// A node said that the client's sign-in is over.
  void revoked(SimNode by, long within) {
    world.record(new Entry.Revoked(now(), client, by.toString(), within));
  }

  void signedIn() {
    world.record(new Entry.SignedIn(now(), client));
  }

  void disconnected(int code) {
    world.record(new Entry.Disconnected(now(), client, node, code));
  }

  void changeBegan(RoomId room, Seq seq, @Nullable String body) {
    world.record(new Entry.ChangeBegan(now(), client, room.toString(), seq.value(), hash(body)));
  }

  void changed(RoomId room, Seq seq, Rev rev, @Nullable String body) {
    world.record(
        new Entry.ChangeAcked(
            now(), client, room.toString(), seq.value(), rev.value(), hash(body)));
  }

  /// The client writes a frame.
  void transmitted(JsonNode frame) {
    switch (frame.path("type").asText()) {
      case "message.send" -> {
        String id = frame.path("client_id").asText();
        String room = frame.path("room_id").asText();
        Transmission before = transmissions.putIfAbsent(id, new Transmission(room, session));
        if (before != null) {
          before.tries++;
        }
        world.record(
            new Entry.SendBegan(
                now(), client, room, id, account.toString(), frame.path("body").asText()));
      }
      case "envelope.send" -> {
        if (!frame.path("silent").asBoolean()) {
          world.record(
              new Entry.SendBegan(
                  now(),
                  client,
                  frame.path("room_id").asText(),
                  frame.path("client_id").asText(),
                  account.toString(),
                  ""));
        }
      }
      case "resume" ->
          frame
              .path("rooms")
              .forEach(r -> asked.put(r.path("room_id").asText(), r.path("rev").asLong()));
      default -> {}
    }
  }

  /// A frame came.
  void received(JsonNode frame) {
    switch (frame.path("type").asText()) {
      case "welcome" -> {
        frame.path("rooms").forEach(r -> welcomed.put(r.path("room_id").asText(), At.of(r)));
        world.record(new Entry.LetIn(now(), client, node, connectedAt));
      }
      case "resumed" -> resumed(frame.path("rooms"));
      case "message.receive" -> event(frame, Entry.MESSAGE, frame);
      case "room.event" -> roomEvent(frame);
      case "room.added" -> added(frame.path("room"));
      case "room.removed" -> end(frame.path("room_id").asText());
      case "marker" -> arrived(frame);
      case "message.ack", "envelope.ack" -> acked(frame);
      case "error" ->
          world.record(
              new Entry.Refused(
                  now(), client, frame.path("client_id").asText(), frame.path("code").asText()));
      default -> {}
    }
  }

  private void acked(JsonNode frame) {
    if (frame.path("status").asText().equals("failed")) {
      failed(frame);
      return;
    }
    world.record(
        new Entry.Acked(
            now(),
            client,
            frame.path("room_id").asText(),
            frame.path("client_id").asText(),
            frame.path("seq").asLong(),
            frame.path("duplicate").asBoolean()));
  }

  /// Somebody is said to have received messages of a sealed room.
  private void arrived(JsonNode frame) {
    if (!frame.has("delivered_from")) {
      return;
    }
    AccountId receiver = AccountId.parse(frame.path("account_id").asText());
    RoomId room = RoomId.parse(frame.path("room_id").asText());
    if (receiver.equals(account) || HiddenPresence.from(receiver, account)) {
      world.journal().violated("TOLD_TO", client + " must not be told " + frame);
    }
    long to = frame.path("delivered_seq").asLong();
    for (long seq = frame.path("delivered_from").asLong(); seq <= to; seq++) {
      if (!world.journal().isDelivered(new Receipt(room, seq, receiver))) {
        world.journal().violated("DELIVERED", client + " is told " + frame);
      }
    }
  }

  /// An own message is said not to arrive.
  private void failed(JsonNode frame) {
    Receipt receipt =
        new Receipt(
            RoomId.parse(frame.path("room_id").asText()),
            frame.path("seq").asLong(),
            AccountId.parse(frame.path("account_id").asText()));
    if (!world.journal().isFailed(receipt)) {
      world.journal().violated("FAILED", client + " is told " + frame);
    }
  }

  /// All rooms go on from a point now: from the one asked for, or from where the answer says.
  private void resumed(JsonNode answers) {
    Map<String, At> rest = new LinkedHashMap<>(welcomed);
    Set<String> missing = new LinkedHashSet<>(open.keySet());
    missing.removeAll(rest.keySet());
    for (JsonNode answer : answers) {
      String room = answer.path("room_id").asText();
      missing.remove(room);
      rest.remove(room);
      if (answer.path("gone").asBoolean()) {
        end(room);
      } else {
        long from =
            answer.path("recovered").asBoolean()
                ? asked.getOrDefault(room, 0L)
                : answer.path("rev").asLong();
        begin(room, new At(answer.path("epoch").asLong(), from));
      }
    }
    rest.forEach(this::begin);
    missing.forEach(this::end);
  }

  /// What is followed already may be told again.
  private void added(JsonNode room) {
    String id = room.path("room_id").asText();
    if (!open.containsKey(id)) {
      begin(id, At.of(room));
    }
  }

  private void begin(String room, At at) {
    At before = open.put(room, at);
    if (before == null) {
      world.record(
          new Entry.ViewBegan(
              now(), view(room), client, account.toString(), room, at.epoch(), at.rev()));
    } else if (!before.equals(at)) {
      world.record(new Entry.ViewReset(now(), view(room), room, at.epoch(), at.rev()));
    }
  }

  private void end(String room) {
    if (open.remove(room) != null) {
      world.record(new Entry.ViewEnded(now(), view(room)));
    }
  }

  private void roomEvent(JsonNode frame) {
    String kind = frame.path("kind").asText();
    event(frame, kind, frame.has("message") ? frame.path("message") : frame);
  }

  private void event(JsonNode frame, String kind, JsonNode message) {
    String room = frame.path("room_id").asText();
    long rev = frame.path("rev").asLong();
    open.computeIfPresent(room, (_, _) -> At.of(frame));
    heard.add(new Heard(room, frame.path("epoch").asLong(), rev));
    world.record(
        new Entry.Received(
            now(),
            view(room),
            room,
            frame.path("epoch").asLong(),
            rev,
            kind,
            message.path("seq").asLong(),
            message.path("sender_id").asText(),
            message.path("client_id").asText(),
            message.path("body").asText()));
  }

  private String view(String room) {
    return client + "@" + room;
  }

  private static String hash(@Nullable String body) {
    return body == null ? "" : body;
  }

  private long now() {
    return world.scheduler().nanos();
  }
}
