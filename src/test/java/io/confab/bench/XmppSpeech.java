package io.confab.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// One person who speaks XMPP and is in rooms of XEP-0045: signs in, binds a resource, enters the
/// rooms. Its own message that comes back is the acknowledgement.
final class XmppSpeech implements Speech {
  static final String PASSWORD = "none";

  private static final String OPEN =
      "<stream:stream to='localhost' xmlns='jabber:client'"
          + " xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>";
  private static final String BIND =
      "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>";
  private static final byte[] MESSAGE = "<message".getBytes(StandardCharsets.UTF_8);
  private static final String FILLING = "x".repeat(90);

  private final String name;
  private final List<String> rooms;
  private final List<Integer> own;
  private int entered;

  /// @param rooms the names of all rooms
  /// @param own the numbers of those that it is in
  XmppSpeech(String name, List<String> rooms, List<Integer> own) {
    this.name = name;
    this.rooms = rooms;
    this.own = own;
  }

  @Override
  public void opened(Line line) {
    entered = 0;
    line.say(OPEN);
  }

  @Override
  public void heard(ByteBuf in, int at, int length, Line line) {
    if (entered == own.size() && isMessage(in, at, length)) {
      int token = Token.find(in, at, length);
      if (token != Token.NONE) {
        line.ears().received(line, token);
        return;
      }
    }
    arrive(in.toString(at, length, StandardCharsets.UTF_8), line);
  }

  private static boolean isMessage(ByteBuf in, int at, int length) {
    for (int i = 0; i < MESSAGE.length; i++) {
      if (i == length || in.getByte(at + i) != MESSAGE[i]) {
        return false;
      }
    }
    return true;
  }

  /// The steps until it is in all rooms.
  private void arrive(String text, Line line) {
    if (text.contains("type='error'")
        || text.startsWith("<failure")
        || text.startsWith("<stream:error")) {
      line.ears().failed(line, text);
    } else if (text.startsWith("<stream:features")) {
      line.say(text.contains("<mechanisms") ? signIn() : BIND);
    } else if (text.startsWith("<success")) {
      line.say(OPEN);
    } else if (text.startsWith("<iq") && text.contains("id='bind'")) {
      own.forEach(room -> line.say(enter(rooms.get(room))));
    } else if (text.contains("<subject") && ++entered == own.size()) {
      line.ears().live(line); // the subject is what a room tells last
    }
  }

  private String signIn() {
    byte[] plain = ("\0" + name + "\0" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>"
        + Base64.getEncoder().encodeToString(plain)
        + "</auth>";
  }

  private String enter(String room) {
    return "<presence to='%s@conference.localhost/%s'><x xmlns='http://jabber.org/protocol/muc'/></presence>"
        .formatted(room, name);
  }

  @Override
  public byte[] message(int room, String token) {
    return ("<message type='groupchat' to='" + rooms.get(room) + "@conference.localhost' id='")
        .concat(token + "'><body>" + token + FILLING + "</body></message>")
        .getBytes(StandardCharsets.UTF_8);
  }
}
