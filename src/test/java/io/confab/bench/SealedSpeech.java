package io.confab.bench;

import io.confab.config.Sha256;
import io.netty.buffer.ByteBuf;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One device that speaks in sealed rooms, with keys and payloads that are made up, as the server
/// does not look at them. It acknowledges what came as soon as its last acknowledgement is
/// answered. What it said itself does not come to it, so that is received when it is acknowledged.
final class SealedSpeech implements Speech {
  private static final byte[] RECEIVE = bytes("{\"type\":\"envelope.receive\",\"queue_seq\":");
  private static final byte[] ACK = bytes("{\"type\":\"envelope.ack\"");
  private static final byte[] OK = bytes("{\"type\":\"ok\"");
  private static final byte[] RESUMED = bytes("{\"type\":\"resumed\"");
  private static final byte[] EMPTY = bytes("{\"type\":\"queue.empty\"");

  /// As long as `olm1` makes a line of some words.
  private static final String FILLING = "x".repeat(470);

  private final ConfabSpeech plain;
  private final List<String> digests;
  private long position;
  private long acknowledged;
  private boolean acknowledging;

  private SealedSpeech(ConfabSpeech plain, List<String> digests) {
    this.plain = plain;
    this.digests = digests;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Gives all of them keys and seals their rooms.
  static List<Speech> of(int port, Layout layout, List<ConfabSpeech> people) {
    List<Long> registrations =
        ConfabNode.each(people, person -> api(port, person).put("/v1/me/keys", keys())).stream()
            .map(answer -> answer.getLong("registration_id"))
            .toList();
    List<String> digests =
        ConfabNode.each(
            IntStream.range(0, layout.rooms().size()).boxed().toList(),
            room -> {
              List<Integer> members = layout.rooms().get(room);
              ConfabSpeech first = people.get(members.getFirst());
              api(port, first).patch("/v1/rooms/" + first.room(room), seal());
              return digest(members.stream().map(registrations::get).toList());
            });
    List<Speech> speeches = new ArrayList<>();
    people.forEach(person -> speeches.add(new SealedSpeech(person, digests)));
    return speeches;
  }

  private static JsonApi api(int port, ConfabSpeech person) {
    return new JsonApi(port, "Bearer " + person.token());
  }

  private static JsonObject keys() {
    return new JsonObject().put("suite", "olm1").put("identity", "made up");
  }

  private static JsonObject seal() {
    return new JsonObject().put("encryption", new JsonObject().put("suite", "olm1"));
  }

  private static String digest(List<Long> registrations) {
    return Sha256.hex(
        registrations.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")), 8);
  }

  @Override
  public void opened(Line line) {
    acknowledging = false;
    plain.opened(line);
  }

  @Override
  public void heard(ByteBuf in, int at, int length, Line line) {
    if (ConfabSpeech.begins(in, at, length, RECEIVE)) {
      position = number(in, at + RECEIVE.length);
      line.ears().received(line, Token.find(in, at, length));
      acknowledge(line);
    } else if (ConfabSpeech.begins(in, at, length, ACK)) {
      int message = Token.find(in, at, length);
      line.ears().received(line, message);
      line.ears().acked(line, message);
    } else if (ConfabSpeech.begins(in, at, length, OK)) {
      acknowledging = false;
      acknowledge(line);
    } else if (ConfabSpeech.begins(in, at, length, RESUMED)) {
      line.say("{\"type\":\"queue.open\",\"epoch\":1,\"after\":%d}".formatted(position));
    } else if (ConfabSpeech.begins(in, at, length, EMPTY)) {
      line.ears().live(line);
    } else {
      plain.heard(in, at, length, line);
    }
  }

  private void acknowledge(Line line) {
    if (!acknowledging && position > acknowledged) {
      acknowledging = true;
      acknowledged = position;
      line.say("{\"type\":\"queue.ack\",\"queue_seq\":" + position + "}");
    }
  }

  private static long number(ByteBuf in, int at) {
    long number = 0;
    for (int i = at; Character.isDigit(in.getByte(i)); i++) {
      number = number * 10 + in.getByte(i) - '0';
    }
    return number;
  }

  @Override
  public byte[] message(int room, String message) {
    return bytes(
        "{\"type\":\"envelope.send\",\"room_id\":\""
            + plain.room(room)
            + "\",\"client_id\":\""
            + message
            + "\",\"devices\":\""
            + digests.get(room)
            + "\",\"payload\":\""
            + message
            + FILLING
            + "\"}");
  }
}
