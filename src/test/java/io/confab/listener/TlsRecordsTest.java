package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What connections leave unfinished of TLS.
class TlsRecordsTest {
  private static final int HANDSHAKE = 22;
  private static final int DATA = 23;

  private final SharedBound unfinished = new SharedBound(10_000);
  private final List<EmbeddedChannel> connections = new ArrayList<>();

  private EmbeddedChannel connect() {
    EmbeddedChannel connection = new EmbeddedChannel(new TlsRecords(unfinished));
    connections.add(connection);
    return connection;
  }

  private EmbeddedChannel established() {
    EmbeddedChannel connection = connect();
    connection.writeInbound(record(HANDSHAKE, 300, 300));
    connection.pipeline().get(TlsRecords.class).established();
    return connection;
  }

  private static ByteBuf record(int type, int length, int there) {
    return Unpooled.wrappedBuffer(
        new byte[] {(byte) type, 3, 3, (byte) (length >> Byte.SIZE), (byte) length},
        new byte[there]);
  }

  @AfterEach
  void close() {
    connections.forEach(EmbeddedChannel::finishAndReleaseAll);
    assertThat(unfinished.bytes()).isZero();
  }

  @Test
  void allOfAHandshakeCountsUntilItIsOver() {
    EmbeddedChannel connection = connect();
    connection.writeInbound(record(HANDSHAKE, 500, 500));
    connection.writeInbound(record(HANDSHAKE, 500, 200));
    assertThat(unfinished.bytes()).isEqualTo(710);

    connection.writeInbound(Unpooled.wrappedBuffer(new byte[300]));
    connection.pipeline().get(TlsRecords.class).established();
    assertThat(unfinished.bytes()).isZero();
  }

  @Test
  void thenTheBufferOfARecordThatIsNotThereAsAWhole() {
    EmbeddedChannel connection = established();
    connection.writeInbound(record(DATA, 400, 400));
    assertThat(unfinished.bytes()).isZero();
    connection.writeInbound(Unpooled.buffer(1_000).writeBytes(record(DATA, 400, 100)));
    assertThat(unfinished.bytes()).isEqualTo(1_000);
    connection.writeInbound(Unpooled.wrappedBuffer(new byte[300]));
    assertThat(unfinished.bytes()).isZero();
  }

  @Test
  void whoHasLeftSomethingUnfinishedForLongestGoesFirst() {
    EmbeddedChannel good = established();
    EmbeddedChannel first = connect();
    first.writeInbound(record(HANDSHAKE, 16_000, 4_000));
    EmbeddedChannel second = connect();
    second.writeInbound(record(HANDSHAKE, 16_000, 4_000));
    connect().writeInbound(record(HANDSHAKE, 16_000, 4_000));

    assertThat(first.isOpen()).isFalse();
    assertThat(second.isOpen()).isTrue();
    assertThat(good.isOpen()).isTrue();
  }
}
