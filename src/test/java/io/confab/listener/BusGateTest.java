package io.confab.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BusGateTest {
  private static final int MOST = 20;

  private final List<Integer> unfinished = new ArrayList<>();
  private final EmbeddedChannel connection =
      new EmbeddedChannel(new BusMessages(MOST, unfinished::add));

  private static ByteBuf messages(int... lengths) {
    ByteBuf bytes = Unpooled.buffer();
    for (int length : lengths) {
      bytes.writeInt(length);
      for (int i = 0; i < Math.clamp(length, 0, MOST); i++) {
        bytes.writeByte(0x7f);
      }
    }
    return bytes;
  }

  /// Answers how many bytes got through.
  private int send(ByteBuf all, int part) {
    while (all.isReadable()) {
      connection.writeInbound(all.readRetainedSlice(Math.min(part, all.readableBytes())));
    }
    all.release();
    int passed = 0;
    for (ByteBuf read = connection.readInbound(); read != null; read = connection.readInbound()) {
      passed += read.readableBytes();
      read.release();
    }
    return passed;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 24, 1_000})
  void messagesWithinTheBoundPassInAnyParts(int part) {
    ByteBuf all = messages(1, MOST, 3, 0, MOST);
    int size = all.readableBytes();

    assertThat(send(all, part)).isEqualTo(size);
    assertThat(connection.isOpen()).isTrue();
    assertThat(unfinished.getLast()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, MOST + 1, Integer.MAX_VALUE})
  void aMessageThatSaysItIsTooLongEndsTheConnection(int length) {
    assertThat(send(messages(MOST, length), 4 + MOST)).isEqualTo(4 + MOST);
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void whatHasComeOfAMessageIsCounted() {
    send(messages(MOST), 9);

    assertThat(unfinished).containsExactly(5, 14, 0, 0);
  }

  @Test
  void connectionsBeyondTheBoundAreClosedAndTheirPlacesAreGivenBack() {
    EmbeddedChannel acceptor = new EmbeddedChannel(new BusGate(1_000));
    List<EmbeddedChannel> accepted = new ArrayList<>();
    for (int i = 0; i < BusGate.CONNECTIONS; i++) {
      accepted.add(accept(acceptor));
    }
    assertThat(accepted).allMatch(EmbeddedChannel::isOpen);
    assertThat(accept(acceptor).isOpen()).isFalse();

    accepted.getFirst().close();
    assertThat(accept(acceptor).isOpen()).isTrue();
  }

  @Test
  void beyondTheBoundOfAllTheConnectionGoesThatHasLetAMessageWaitForLongest() {
    EmbeddedChannel acceptor = new EmbeddedChannel(new BusGate(1_000));
    EmbeddedChannel oldest = accept(acceptor);
    EmbeddedChannel next = accept(acceptor);
    EmbeddedChannel whole = accept(acceptor);

    whole.writeInbound(part(900, 900));
    oldest.writeInbound(part(2_000, 600));
    next.writeInbound(part(2_000, 300));
    assertThat(oldest.isOpen()).isTrue();
    next.writeInbound(Unpooled.wrappedBuffer(new byte[200]));

    assertThat(oldest.isOpen()).isFalse();
    assertThat(next.isOpen()).isTrue();
    assertThat(whole.isOpen()).isTrue();
  }

  @Test
  void whoCompletesAMessageAndBeginsTheNextDoesNotLetOneWait() {
    EmbeddedChannel acceptor = new EmbeddedChannel(new BusGate(1_000));
    EmbeddedChannel busy = accept(acceptor);
    EmbeddedChannel stranger = accept(acceptor);

    busy.writeInbound(part(500, 400));
    stranger.writeInbound(part(2_000, 400));
    busy.writeInbound(
        Unpooled.buffer().writeBytes(new byte[100]).writeInt(500).writeBytes(new byte[300]));
    busy.writeInbound(Unpooled.wrappedBuffer(new byte[250]));
    busy.writeInbound(
        Unpooled.buffer().writeBytes(new byte[50]).writeInt(2_000).writeBytes(new byte[700]));

    assertThat(busy.isOpen()).isTrue();
    assertThat(stranger.isOpen()).isFalse();
  }

  private static ByteBuf part(int length, int there) {
    return Unpooled.buffer().writeInt(length).writeBytes(new byte[there]);
  }

  private static EmbeddedChannel accept(EmbeddedChannel acceptor) {
    EmbeddedChannel connection = new EmbeddedChannel();
    acceptor.writeInbound(connection);
    return connection;
  }
}
