package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.testing.Allocated;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.vertx.core.http.HttpServerOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What connections leave unfinished of heads.
class StrictRequestDecoderTest {
  private static final long BYTES = 100_000;
  private static final String BEGUN = "GET /v1/me HTTP/1.1\r\nhost: a\r\n";
  private static final HttpServerOptions OPTIONS =
      new HttpServerOptions().setMaxInitialLineLength(8_192).setMaxHeaderSize(16_384);

  private final SharedBound unfinished = new SharedBound(BYTES);
  private final List<EmbeddedChannel> connections = new ArrayList<>();

  private EmbeddedChannel connect() {
    EmbeddedChannel connection = new EmbeddedChannel(new StrictRequestDecoder(OPTIONS, unfinished));
    connections.add(connection);
    return connection;
  }

  private static void send(EmbeddedChannel connection, String text) {
    connection.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  @AfterEach
  void close() {
    connections.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertThat(unfinished.bytes()).isZero();
  }

  @Test
  void whoHasLeftAHeadUnfinishedForLongestGoesFirst() {
    for (int i = 0; i < 3; i++) {
      send(connect(), BEGUN + "x: " + "y".repeat(15_000) + "\r\n");
      send(connect(), BEGUN + "x: " + "y".repeat(15_000));
    }
    assertThat(connections).allMatch(EmbeddedChannel::isOpen);

    send(connect(), "GET /" + "y".repeat(8_000));
    send(connections.getLast(), BEGUN + "x: " + "y".repeat(8_000));

    assertThat(connections.getFirst().isOpen()).isFalse();
    assertThat(connections.getLast().isOpen()).isTrue();
  }

  @Test
  void aHeadThatIsWholeCountsForNothingAndTheNextWaitsSinceThen() {
    EmbeddedChannel busy = connect();
    send(busy, BEGUN);
    EmbeddedChannel slow = connect();
    send(slow, BEGUN + "x: " + "y".repeat(15_000));
    send(busy, "\r\n" + BEGUN + "x: y");
    for (int i = 0; i < 5; i++) {
      send(connect(), BEGUN + "x: " + "y".repeat(15_000));
    }
    send(connect(), BEGUN + "x: " + "y".repeat(10_000));

    assertThat(slow.isOpen()).isFalse();
    assertThat(busy.isOpen()).isTrue();
    send(busy, "\r\n\r\n");
    assertThat(busy.inboundMessages()).filteredOn(HttpRequest.class::isInstance).hasSize(2);
  }

  @Test
  void fieldsAfterTheLastChunkCountToo() {
    EmbeddedChannel connection = connect();
    send(connection, BEGUN + "transfer-encoding: chunked\r\n\r\n0\r\n");
    long before = unfinished.bytes();
    send(connection, "x: " + "y".repeat(10_000) + "\r\n");

    assertThat(unfinished.bytes() - before).isGreaterThan(10_000);
  }

  @Test
  void moreIsCountedThanIsTaken() {
    EmbeddedChannel connection = connect();
    String fields =
        IntStream.range(0, 1_500)
            .mapToObj(i -> Integer.toString(i, Character.MAX_RADIX) + ":b\r\n")
            .reduce(BEGUN, String::concat);
    var bytes = Unpooled.copiedBuffer(fields, StandardCharsets.US_ASCII);

    long taken = Allocated.by(() -> connection.writeInbound(bytes));

    assertThat(unfinished.bytes()).isGreaterThan(taken).isLessThan(3 * taken);
  }
}
