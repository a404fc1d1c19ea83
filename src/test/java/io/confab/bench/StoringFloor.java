package io.confab.bench;

import io.confab.testing.OwnPostgres;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// [StoringFloorServer] as a contestant, with a PostgreSQL of its own, which runs from the same
/// programs and by the same settings as the one that Confab embeds.
final class StoringFloor implements Contestant {
  private static final String FILLING = "x".repeat(90);

  private final OwnPostgres postgres = new OwnPostgres();
  private final Launch server =
      Launch.java(
          StoringFloorServer.class,
          "postgresql://postgres@127.0.0.1:%d/postgres".formatted(postgres.url().port()));
  private final int port;

  StoringFloor() {
    try {
      port = Integer.parseInt(server.await(Pattern.compile("listens on (\\d+)\n")).group(1));
    } catch (IllegalStateException missing) {
      close();
      throw missing;
    }
  }

  @Override
  public String name() {
    return Floor.NAME;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<Long> roots() {
    return List.of(server.pid(), postgres.pid());
  }

  @Override
  public List<Speech> furnish(Layout layout) {
    int[][] places = layout.places();
    return Arrays.stream(places).<Speech>map(Member::new).toList();
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
    postgres.close();
  }

  /// In some rooms.
  private static final class Member implements Speech {
    private final int[] rooms;
    private int entered;

    /// @param places as of [Layout#places]
    Member(int[] places) {
      this.rooms = IntStream.range(0, places.length / 2).map(i -> places[2 * i]).toArray();
    }

    @Override
    public void opened(Line line) {
      entered = 0;
      for (int room : rooms) {
        line.say(StoringFloorServer.ENTER + Integer.toString(room));
      }
    }

    @Override
    public void heard(ByteBuf in, int at, int bytes, Line line) {
      if (in.getByte(at) != StoringFloorServer.ENTER) {
        line.ears().received(line, Token.find(in, at, bytes));
      } else if (++entered == rooms.length) {
        line.ears().live(line);
      }
    }

    @Override
    public byte[] message(int room, String token) {
      return ("#" + room + " " + token + FILLING).getBytes(StandardCharsets.US_ASCII);
    }
  }
}
