package io.confab.bench;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// About the least that a server in Java can do that stores what is said before anybody is told: on
/// one loop with its one connection to PostgreSQL, by the client that Confab uses, what came while
/// the insert before was under way goes into the next one, and then to the members of its room.
/// Nobody learns a number or a time; no key is kept against repetition, no right looked at.
final class StoringFloorServer implements FloorConnection.Server {
  /// `+ROOM` enters a room; what is said in it begins with `#ROOM `.
  static final char ENTER = '+';

  private static final String TABLE =
      """
      CREATE TABLE message (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, room text NOT NULL, body text NOT NULL,
        ts timestamptz NOT NULL DEFAULT clock_timestamp())\
      """;
  private static final String INSERT =
      "INSERT INTO message (room, body) SELECT * FROM unnest($1::text[], $2::text[])";

  private record Said(String room, String body, ByteBuf frame) {}

  private final PreparedStatement insert;
  private final Map<String, List<Channel>> rooms = new HashMap<>();
  private List<Said> waiting = new ArrayList<>();
  private boolean storing;

  private StoringFloorServer(PreparedStatement insert) {
    this.insert = insert;
  }

  /// @param args the URL of a PostgreSQL
  public static void main(String[] args) throws InterruptedException {
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    Future<PreparedStatement> insert =
        Future.future(promise -> vertx.runOnContext(_ -> prepare(vertx, args[0], promise)));
    FloorConnection.serve(
        ((VertxInternal) vertx).nettyEventLoopGroup(),
        new StoringFloorServer(insert.toCompletionStage().toCompletableFuture().join()));
  }

  /// On the loop, so that the connection is of it.
  private static void prepare(Vertx vertx, String url, Promise<PreparedStatement> prepared) {
    PgConnection.connect(vertx, PgConnectOptions.fromUri(url))
        .compose(
            connection ->
                connection.query(TABLE).execute().compose(_ -> connection.prepare(INSERT)))
        .onComplete(prepared);
  }

  @Override
  public void opened(Channel channel) {}

  @Override
  public void said(Channel channel, ByteBuf frame, int at) {
    int end = frame.writerIndex();
    if (frame.getByte(at) == ENTER) {
      String room = text(frame, at + 1, end);
      rooms.computeIfAbsent(room, _ -> new ArrayList<>()).add(channel);
      channel.writeAndFlush(frame);
      return;
    }
    int space = frame.indexOf(at, end, (byte) ' ');
    waiting.add(new Said(text(frame, at + 1, space), text(frame, space + 1, end), frame));
  }

  private static String text(ByteBuf frame, int from, int end) {
    return frame.toString(from, end - from, StandardCharsets.US_ASCII);
  }

  @Override
  public void silent() {
    if (storing || waiting.isEmpty()) {
      return;
    }
    storing = true;
    List<Said> group = waiting;
    waiting = new ArrayList<>();
    String[] in = group.stream().map(Said::room).toArray(String[]::new);
    String[] bodies = group.stream().map(Said::body).toArray(String[]::new);
    insert
        .query()
        .execute(Tuple.tuple().addArrayOfString(in).addArrayOfString(bodies))
        .onComplete(stored -> stored(stored, group));
  }

  private void stored(AsyncResult<RowSet<Row>> outcome, List<Said> group) {
    if (outcome.failed()) {
      outcome.cause().printStackTrace();
      Runtime.getRuntime().halt(1); // the driver says that its connections are closed
    }
    storing = false;
    silent();
    for (Said one : group) {
      for (Channel channel : rooms.getOrDefault(one.room(), List.of())) {
        channel.write(one.frame().retainedDuplicate(), channel.voidPromise());
      }
      one.frame().release();
    }
    for (Said one : group) {
      rooms.getOrDefault(one.room(), List.of()).forEach(Channel::flush);
    }
  }

  @Override
  public void closed(Channel channel) {
    rooms.values().forEach(members -> members.remove(channel));
  }
}
