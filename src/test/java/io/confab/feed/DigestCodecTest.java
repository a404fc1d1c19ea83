package io.confab.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.feed.Digest.Origin;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestCodecTest {
  private static final byte[] KEY = "the key of this database".getBytes(StandardCharsets.UTF_8);
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(7);

  private final DigestCodec codec = new DigestCodec(KEY);

  private static Digest full(boolean leaving, boolean more) {
    return new Digest(
        new Origin(new NodeId("n-1"), Long.MIN_VALUE),
        1L << 40,
        leaving,
        new Epoch(3),
        new Contents(
            List.of(new Moved(ROOM, new Rev(9)), new Moved(new RoomId(Long.MAX_VALUE), Rev.ZERO)),
            List.of(
                new AccountSignal.Added(ANN, ROOM),
                new AccountSignal.Removed(ANN, ROOM, LeaveReason.BANNED),
                new AccountSignal.Revoked(ANN, new DeviceId("phone ☎")),
                new AccountSignal.DevicesChanged(ANN, 1L << 40),
                new AccountSignal.VisibilityChanged(ANN),
                new AccountSignal.SeatChanged(ANN, ROOM, SeatNews.LEFT),
                new AccountSignal.SeatChanged(
                    ANN, ROOM, SeatNews.INSIDE, new GivenSeat(1, 2, 3, 1L << 50)),
                new AccountSignal.Queued(ANN),
                new AccountSignal.Displaced(ANN, new DeviceId("d"), new Fence(new Epoch(2), 7))),
            List.of(new Digest.Sends(ROOM, 1L << 40), new Digest.Sends(new RoomId(8), 1)),
            more));
  }

  private static Digest empty() {
    return new Digest(
        new Origin(new NodeId("n"), 2),
        3,
        false,
        new Epoch(4),
        new Contents(List.of(), List.of(), false));
  }

  @Test
  void aDigestComesBackAsItWas() {
    assertThat(codec.decode(codec.encode(full(false, false)))).contains(full(false, false));
    assertThat(codec.decode(codec.encode(full(true, false)))).contains(full(true, false));
    assertThat(codec.decode(codec.encode(full(false, true)))).contains(full(false, true));
    assertThat(codec.decode(codec.encode(empty()))).contains(empty());
  }

  /// Nodes of two versions that run side by side read each other's digests: who changes the
  /// form changes its version.
  @Test
  void theFormIsThatOfVersionThree() {
    byte[] bytes = codec.encode(empty());
    assertThat(bytes[0]).isEqualTo((byte) 3);
    assertThat(HexFormat.of().formatHex(bytes, 17, bytes.length))
        .isEqualTo(
            "00016e" // node
                + "0000000000000002" // nonce
                + "0000000000000003" // number
                + "0000000000000004" // epoch
                + "00" // flags
                + "00000000".repeat(2)); // rooms, signals
  }

  @Test
  void aChangeOfAnySingleByteIsRefused() {
    byte[] good = codec.encode(full(false, false));
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertThat(codec.decode(bad)).as("byte %d", i).isEmpty();
    }
  }

  @Test
  void aDigestCutOffOrLengthenedAnywhereIsRefused() {
    byte[] good = codec.encode(full(false, false));
    for (int length = 0; length < good.length; length++) {
      assertThat(codec.decode(Arrays.copyOf(good, length))).isEmpty();
    }
    assertThat(codec.decode(Arrays.copyOf(good, good.length + 1))).isEmpty();
  }

  /// As a node of another form of the same version would say.
  @Test
  void moreElementsThanThereAreBytesTakeNoMemory() {
    byte[] bytes = codec.encode(empty());
    ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, Integer.MAX_VALUE);
    int head = 1 + Seal.LENGTH;
    byte[] seal = new Seal(KEY).of(Seal.Subject.NODES, 0, bytes[0], bytes, head);
    System.arraycopy(seal, 0, bytes, 1, seal.length);
    assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(BufferUnderflowException.class);
  }

  @Test
  void aDigestOfAnotherDatabaseIsRefused() {
    DigestCodec foreign = new DigestCodec("other".getBytes(StandardCharsets.UTF_8));
    assertThat(codec.decode(foreign.encode(empty()))).isEmpty();
  }

  @Test
  void aPublicationOfARoomOrAnAccountIsNoDigest() {
    PublicationCodec publications = new PublicationCodec(KEY);
    AccountSignal signal = new AccountSignal.Added(new AccountId(0), ROOM);
    assertThat(codec.decode(publications.encode(signal))).isEmpty();
    assertThat(publications.decodeSignal(new AccountId(0), codec.encode(empty()))).isEmpty();
  }
}
