package io.confab.socket;

import static java.util.Objects.requireNonNull;

import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Json;
import io.confab.protocol.Refusal;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.confab.websocket.FrameWriter;
import io.confab.websocket.Incoming;
import io.confab.websocket.MessageReader;
import io.confab.websocket.Wire;
import io.confab.websocket.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Drives fuzzed frames through the codec in process: bytes off the wire → message → frame or
/// refusal → answer → bytes. Each try depends on the seed and its number alone, so one that
/// fails can be made again.
final class FrameFuzz {
  private static final int BODY_BYTES = 16_384;
  private static final int ROOMS = 1_000;
  private static final int ID_LENGTH = 64;
  private static final int FIELD_LENGTH = 128;
  private static final int ANSWER_BYTES = 2_048;
  private static final int IN_A_PIPELINE = 16;
  private static final int PIECE = 200;
  private static final long TELL_EVERY = 500_000;
  private static final int FRAME_BYTES = 65_536;
  private static final int CONTROL_BYTES = 125;
  private static final Set<CloseCode> CLOSES =
      Set.of(CloseCode.MALFORMED, CloseCode.NOT_UTF_8, CloseCode.TOO_LARGE);
  private static final Set<ErrorCode> CODES =
      Set.of(
          ErrorCode.INVALID_JSON,
          ErrorCode.INVALID_FIELD,
          ErrorCode.UNKNOWN_TYPE,
          ErrorCode.TOO_LARGE);

  private final FrameTable reader = new FrameTable(BODY_BYTES, ROOMS);
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final Map<ErrorCode, Long> refused = new EnumMap<>(ErrorCode.class);
  private final long seed;
  private long accepted;
  private long binary;
  private final Map<CloseCode, Long> closed = new EnumMap<>(CloseCode.class);

  FrameFuzz(long seed) {
    this.seed = seed;
  }

  /// Frames `first` to `first + count - 1` of this seed. Fails with the seed, the number and
  /// the frame in hex.
  void run(long first, long count, Consumer<String> progress) {
    long begin = System.nanoTime();
    for (long i = first; i < first + count; i++) {
      SplittableRandom random = new SplittableRandom(seed + i * 0x9E3779B97F4A7C15L);
      byte[] frame = WireBytes.make(random, FrameTexts.make(random));
      try {
        if (random.nextInt(IN_A_PIPELINE) == 0) {
          throughPipeline(random, frame);
        } else {
          throughReader(frame);
        }
        requireReleased();
      } catch (RuntimeException | AssertionError | StackOverflowError e) {
        throw new AssertionError(
            "seed %d, frame %d: %s".formatted(seed, i, HexFormat.of().formatHex(frame)), e);
      }
      long done = i - first + 1;
      if (done % TELL_EVERY == 0 || done == count) {
        progress.accept(summary(done, System.nanoTime() - begin));
      }
    }
  }

  private String summary(long done, long nanos) {
    return String.format(
        Locale.ROOT,
        "%,d frames (%,d/s), seed %d: %,d taken, %,d binary, refused %s, closed %s",
        done,
        done * 1_000_000_000L / Math.max(1, nanos),
        seed,
        accepted,
        binary,
        refused,
        closed);
  }

  /// As bytes that came all at once.
  private void throughReader(byte[] bytes) {
    MessageReader messages = new MessageReader(FRAME_BYTES);
    ByteBuf in = allocator.directBuffer(bytes.length).writeBytes(bytes);
    try {
      for (Incoming i = messages.read(in); i != null; i = messages.read(in)) {
        heard(i);
        if (i instanceof Incoming.Close) {
          break;
        }
      }
    } catch (WireFault fault) {
      broken(fault);
    } finally {
      in.release();
    }
  }

  /// As they come from a network, in pieces.
  private void throughPipeline(SplittableRandom random, byte[] bytes) {
    Wire wire = new Wire(Runnable::run, new MessageReader(FRAME_BYTES), new Heard());
    EmbeddedChannel netty = new EmbeddedChannel();
    netty.config().setAllocator(allocator);
    netty.pipeline().addLast(wire);
    for (int from = 0; from < bytes.length; ) {
      int length = Math.min(bytes.length - from, 1 + random.nextInt(PIECE));
      netty.writeInbound(allocator.directBuffer(length).writeBytes(bytes, from, length));
      from += length;
    }
    netty.finishAndReleaseAll();
  }

  private final class Heard implements Wire.Listener {
    @Override
    public void heard(Incoming incoming) {
      FrameFuzz.this.heard(incoming);
    }

    @Override
    public void broken(WireFault fault) {
      FrameFuzz.this.broken(fault);
    }

    @Override
    public void gone() {}
  }

  private void heard(Incoming incoming) {
    switch (incoming) {
      case Incoming.Text(String text) -> take(text);
      case Incoming.Ping(byte[] payload) -> require(payload.length <= CONTROL_BYTES, "short");
      case Incoming.Close(byte[] payload) -> require(payload.length <= CONTROL_BYTES, "short");
      case Incoming.Binary _ -> binary++; // the socket closes
      case Incoming.Part _, Incoming.Pong _ -> {}
    }
  }

  private void broken(WireFault fault) {
    require(CLOSES.contains(fault.code()), "a code of broken wires");
    closed.merge(fault.code(), 1L, Long::sum);
    byte[] said = FrameWriter.closing(fault.code().code(), fault.reason());
    require(said.length <= CONTROL_BYTES, "a reason that fits into a close");
  }

  private void take(String text) {
    FrameTable.Request request = reader.read(text);
    Refusal refusal = request.refusal();
    require((request.frame() == null) == (refusal != null), "a frame or a refusal");
    requireId(request.id());
    requireId(request.clientId() == null ? null : request.clientId().value());
    if (refusal == null) {
      accepted++;
      return;
    }
    check(refusal);
    refused.merge(refusal.code(), 1L, Long::sum);
    answer(ErrorFrame.of(request.id(), refusal, request.clientId()));
  }

  private static void check(Refusal refusal) {
    require(CODES.contains(refusal.code()), "a code of bad frames");
    require(!refusal.detail().isBlank(), "a text for people");
    boolean named = refusal.code() != ErrorCode.INVALID_JSON;
    require(refusal.field().isPresent() == named, "the field is named");
    refusal.field().ifPresent(f -> require(f.length() <= FIELD_LENGTH, "a short name"));
  }

  private static void requireId(@Nullable String id) {
    require(id == null || (!id.isEmpty() && id.length() <= ID_LENGTH), "an id of 1 to 64");
  }

  /// The answer is small, valid JSON, framed and released.
  private void answer(ErrorFrame error) {
    byte[] bytes = Json.bytes(error);
    require(bytes.length <= ANSWER_BYTES, "a bounded answer");
    require(Json.object(bytes).text("type").equals("error"), "an answer that can be read");
    ByteBuf framed = FrameWriter.text(bytes, allocator);
    require(framed.readableBytes() > bytes.length, "a header");
    framed.release();
  }

  private void requireReleased() {
    require(allocator.metric().usedDirectMemory() == 0, "every buffer is released");
    require(allocator.metric().usedHeapMemory() == 0, "every buffer is released");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not kept: " + what);
    }
  }

  /// How many frames were refused with this code.
  long refused(ErrorCode code) {
    return requireNonNull(refused.getOrDefault(code, 0L));
  }

  long accepted() {
    return accepted;
  }

  long binary() {
    return binary;
  }

  /// How often the wire was closed with this code.
  long closed(CloseCode code) {
    return requireNonNull(closed.getOrDefault(code, 0L));
  }
}
