package io.confab.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One person on Socket.IO's protocol, version 5, in Engine.IO's, version 4: a digit for the kind
/// of packet, then a second one for what a message is, then the number of an acknowledgement.
///
/// Acknowledgements carry the number that the request had: the token without its sign.
final class SocketIoSpeech implements Speech {
  private static final char OPEN = '0';
  private static final char PING = '2';
  private static final char MESSAGE = '4';
  private static final char EVENT = '2';
  private static final char ACK = '3';
  private static final char REFUSED = '4';
  private static final String JOINED = "42[\"joined\"]";
  private static final String FILLING = "x".repeat(90);

  private final String auth;
  private final String event;
  private final List<String> rooms;

  /// @param auth JSON that goes with the connection to the namespace
  /// @param event what a message is sent as
  SocketIoSpeech(String auth, String event, List<String> rooms) {
    this.auth = auth;
    this.event = event;
    this.rooms = rooms;
  }

  @Override
  public void opened(Line line) {}

  @Override
  public void heard(ByteBuf in, int at, int length, Line line) {
    switch ((char) in.getByte(at)) {
      case OPEN -> line.say("40" + auth);
      case PING -> line.say("3");
      case MESSAGE -> message(in, at, length, line);
      default -> line.ears().failed(line, in.toString(at, length, StandardCharsets.UTF_8));
    }
  }

  private static void message(ByteBuf in, int at, int length, Line line) {
    switch ((char) in.getByte(at + 1)) {
      case EVENT -> {
        int token = Token.find(in, at, length);
        if (token != Token.NONE) {
          line.ears().received(line, token);
        } else if (in.toString(at, length, StandardCharsets.UTF_8).equals(JOINED)) {
          line.ears().live(line);
        }
      }
      case ACK -> acked(in, at, length, line);
      case REFUSED -> line.ears().failed(line, in.toString(at, length, StandardCharsets.UTF_8));
      default -> {} // connected to the namespace
    }
  }

  private static void acked(ByteBuf in, int at, int length, Line line) {
    int number = 0;
    int i = at + 2;
    for (; in.getByte(i) != '['; i++) {
      number = number * 10 + in.getByte(i) - '0';
    }
    String answer = in.toString(i, at + length - i, StandardCharsets.UTF_8);
    if (answer.contains("\"error\"")) {
      line.ears().failed(line, answer);
    } else {
      line.ears().acked(line, number);
    }
  }

  @Override
  public byte[] message(int room, String token) {
    String number = token.substring(1);
    return ("42" + number + "[\"" + event + "\",\"" + rooms.get(room) + "\",\"" + token + FILLING)
        .concat("\"]")
        .getBytes(StandardCharsets.UTF_8);
  }
}
