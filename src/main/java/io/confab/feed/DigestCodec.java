package io.confab.feed;

import io.confab.feed.Digest.Contents;
import io.confab.feed.Digest.Moved;
import io.confab.feed.Digest.Origin;
import io.confab.feed.Digest.Sends;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The binary form of digests, sealed as [PublicationCodec] seals its publications.
///
/// ```
/// version 2 │ seal 16 │ node, nonce 8, number 8, epoch 8, flags 1
///                     │ rooms moved: id 8, rev 8 each
///                     │ signals: account 8 and AccountSignalCodec each
///                     │ sends to queues: room 8, number 8 each; if there are any
/// ```
///
/// Each list has the number of its elements, 4 bytes, before it. What is forged, cut off, foreign
/// or of an unknown version decodes to empty. For any thread.
public final class DigestCodec {
  private static final byte VERSION = 3;
  private static final int HEAD = 1 + Seal.LENGTH;
  private static final byte LEAVING = 1;
  private static final byte MORE = 2;

  private final Seal seal;

  /// @param publishKey that of the database, which all its nodes share
  public DigestCodec(byte[] publishKey) {
    this.seal = new Seal(publishKey);
  }

  byte[] encode(Digest digest) {
    Contents contents = digest.contents();
    Buffer out = Buffer.buffer(new byte[HEAD]);
    out.appendBytes(BinaryFields.text(digest.origin().node().value()));
    out.appendLong(digest.origin().nonce()).appendLong(digest.number());
    out.appendLong(digest.epoch().value());
    out.appendByte((byte) ((digest.leaving() ? LEAVING : 0) | (contents.more() ? MORE : 0)));
    out.appendInt(contents.moved().size());
    contents.moved().forEach(m -> out.appendLong(m.room().value()).appendLong(m.rev().value()));
    out.appendInt(contents.signals().size());
    contents
        .signals()
        .forEach(s -> out.appendLong(s.account().value()).appendBytes(AccountSignalCodec.write(s)));
    if (!contents.sends().isEmpty()) {
      out.appendInt(contents.sends().size());
      contents.sends().forEach(s -> out.appendLong(s.room().value()).appendLong(s.number()));
    }
    byte[] bytes = out.getBytes();
    bytes[0] = VERSION;
    System.arraycopy(sealOf(bytes), 0, bytes, 1, Seal.LENGTH);
    return bytes;
  }

  Optional<Digest> decode(byte[] bytes) {
    if (bytes.length <= HEAD
        || bytes[0] != VERSION
        || !seal.matches(Arrays.copyOfRange(bytes, 1, HEAD), sealOf(bytes))) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).position(HEAD);
    Origin origin = new Origin(new NodeId(BinaryFields.readText(in)), in.getLong());
    long number = in.getLong();
    Epoch epoch = new Epoch(in.getLong());
    byte flags = in.get();
    List<Moved> moved = list(in, i -> new Moved(new RoomId(i.getLong()), new Rev(i.getLong())));
    List<Optional<AccountSignal>> signals =
        list(in, i -> AccountSignalCodec.read(new AccountId(i.getLong()), i));
    List<Sends> sends =
        in.hasRemaining()
            ? list(in, i -> new Sends(new RoomId(i.getLong()), i.getLong()))
            : List.of();
    Contents contents =
        new Contents(
            moved, signals.stream().flatMap(Optional::stream).toList(), sends, (flags & MORE) != 0);
    return Optional.of(new Digest(origin, number, (flags & LEAVING) != 0, epoch, contents));
  }

  private static <T> List<T> list(ByteBuffer in, Function<ByteBuffer, T> element) {
    int size = in.getInt();
    List<T> list = new ArrayList<>(Math.min(size, in.remaining()));
    for (int i = 0; i < size; i++) {
      list.add(element.apply(in));
    }
    return list;
  }

  private byte[] sealOf(byte[] bytes) {
    return seal.of(Seal.Subject.NODES, 0, VERSION, bytes, HEAD);
  }
}
