package io.confab.bench;

import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One device that speaks Confab's protocol. Frames are told apart by their first bytes; only
/// `welcome` is read as JSON, once.
final class ConfabSpeech implements Speech {
  private static final byte[] RECEIVE = bytes("{\"type\":\"message.receive\"");
  private static final byte[] ACK = bytes("{\"type\":\"message.ack\"");
  private static final byte[] WELCOME = bytes("{\"type\":\"welcome\"");
  private static final byte[] RESUMED = bytes("{\"type\":\"resumed\"");
  private static final List<byte[]> ENDS =
      List.of(bytes("{\"type\":\"error\""), bytes("{\"type\":\"goodbye\""));
  private static final byte[] NOT_RECOVERED = bytes("\"recovered\":false");
  private static final Pattern ROOM = Pattern.compile("\"room_id\":\"([^\"]+)\"");
  private static final Pattern SENDER = Pattern.compile("\"sender_id\":\"([^\"]+)\"");
  private static final Pattern SEQ = Pattern.compile("\"seq\":(\\d+)");
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final String FILLING = "x".repeat(90);

  private final ConfabNode node;
  private final String token;
  private final List<String> rooms;
  private final boolean confirms;

  /// When it confirmed last, by room with receipts.
  private final Map<String, Long> confirmed = new HashMap<>();

  private String account = "";

  /// What it resumes with, when it is to resume from where it stood earlier.
  private byte @Nullable [] remembered;

  private boolean remembers;

  /// @param rooms the ids of all rooms
  /// @param confirms whether it says what has been delivered to it
  ConfabSpeech(ConfabNode node, String token, List<String> rooms, boolean confirms) {
    this.node = node;
    this.token = token;
    this.rooms = rooms;
    this.confirms = confirms;
  }

  String token() {
    return token;
  }

  String room(int room) {
    return rooms.get(room);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void opened(Line line) {
    line.say("{\"type\":\"hello\",\"token\":\"" + token + "\"}");
  }

  @Override
  public void heard(ByteBuf in, int at, int length, Line line) {
    if (begins(in, at, length, RECEIVE)) {
      line.ears().received(line, Token.find(in, at, length));
      if (confirms) {
        confirm(in.toString(at, length, StandardCharsets.UTF_8), line);
      }
    } else if (begins(in, at, length, ACK)) {
      int message = Token.find(in, at, length);
      if (message != Token.NONE) { // else it tells what others have read
        line.ears().acked(line, message);
      }
    } else if (begins(in, at, length, WELCOME)) {
      line.say(resume(in.toString(at, length, StandardCharsets.UTF_8)));
    } else if (begins(in, at, length, RESUMED)) {
      resumed(in, at, length, line);
    } else if (ENDS.stream().anyMatch(end -> begins(in, at, length, end))) {
      line.ears().failed(line, in.toString(at, length, StandardCharsets.UTF_8));
    }
  }

  /// What others say, once a second for a room, as clients do.
  private void confirm(String message, Line line) {
    String room = value(message, ROOM);
    long now = System.nanoTime();
    Long last = confirmed.get(room);
    if (last != null && now - last >= SECOND_NS && !account.equals(value(message, SENDER))) {
      confirmed.put(room, now);
      line.say(
          "{\"type\":\"delivered\",\"room_id\":\"%s\",\"seq\":%s}"
              .formatted(room, value(message, SEQ)));
    }
  }

  private static String value(String frame, Pattern of) {
    Matcher found = of.matcher(frame);
    if (!found.find()) {
      throw new IllegalStateException("not there: " + of);
    }
    return found.group(1);
  }

  /// Whether it resumes from where the first `welcome` from now on left it.
  void remember(boolean where) {
    remembers = where;
    remembered = null;
  }

  /// Says a message over HTTP.
  void post(int room, String message) {
    JsonObject body = new JsonObject().put("client_id", message).put("body", message + FILLING);
    new JsonApi(node.port(), "Bearer " + token)
        .post("/v1/rooms/" + rooms.get(room) + "/messages", body, null);
  }

  private byte[] resume(String welcome) {
    byte[] from = remembered == null ? points(welcome) : remembered;
    if (remembers) {
      remembered = from;
    }
    return from;
  }

  private byte[] points(String text) {
    JsonObject welcome = new JsonObject(text);
    account = welcome.getString("account_id");
    JsonArray points = new JsonArray();
    for (Object each : welcome.getJsonArray("rooms")) {
      JsonObject room = (JsonObject) each;
      if (room.getBoolean("receipts")) {
        confirmed.putIfAbsent(room.getString("room_id"), System.nanoTime() - SECOND_NS);
      }
      points.add(
          new JsonObject()
              .put("room_id", room.getString("room_id"))
              .put("epoch", room.getLong("epoch"))
              .put("rev", room.getLong("rev")));
    }
    return bytes(
        new JsonObject().put("type", "resume").put("rooms", points).put("last", true).encode());
  }

  private static void resumed(ByteBuf in, int at, int length, Line line) {
    for (int i = at; i + NOT_RECOVERED.length <= at + length; i++) {
      if (begins(in, i, length, NOT_RECOVERED)) {
        line.ears().failed(line, in.toString(at, length, StandardCharsets.UTF_8));
        return;
      }
    }
    line.ears().live(line);
  }

  static boolean begins(ByteBuf in, int at, int length, byte[] with) {
    if (length < with.length) {
      return false;
    }
    // What differs differs behind the first word, so the comparison begins there.
    for (int i = with.length - 1; i >= 0; i--) {
      if (in.getByte(at + i) != with[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public byte[] message(int room, String message) {
    return bytes(
        "{\"type\":\"message.send\",\"room_id\":\""
            + rooms.get(room)
            + "\",\"client_id\":\""
            + message
            + "\",\"body\":\""
            + message
            + FILLING
            + "\"}");
  }
}
