package io.confab.bench;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/// [FloorServer] as a contestant: of rooms it knows one, in which everybody is.
final class Floor implements Contestant {
  static final String NAME = "floor";

  private final Launch server = Launch.java(FloorServer.class);
  private final int port =
      Integer.parseInt(server.await(Pattern.compile("listens on (\\d+)\n")).group(1));
  private final String before;
  private final int length;

  /// @param before what every message begins with: nothing, or [FloorServer#ECHO]
  /// @param length of each message, in bytes
  Floor(String before, int length) {
    this.before = before;
    this.length = length;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<Long> roots() {
    return List.of(server.pid());
  }

  @Override
  public List<Speech> furnish(Layout layout) {
    return Collections.nCopies(layout.people(), new Plain());
  }

  @Override
  public Framing framing() {
    return new WebSocketFraming("/", "");
  }

  @Override
  public boolean echoes() {
    return true;
  }

  @Override
  public void close() {
    server.close();
  }

  private final class Plain implements Speech {
    @Override
    public void opened(Line line) {
      line.ears().live(line);
    }

    @Override
    public void heard(ByteBuf in, int at, int bytes, Line line) {
      line.ears().received(line, Token.find(in, at, bytes));
    }

    @Override
    public byte[] message(int room, String token) {
      String text = before + token;
      return (text + "x".repeat(Math.max(0, length - text.length())))
          .getBytes(StandardCharsets.US_ASCII);
    }
  }
}
