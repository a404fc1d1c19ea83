package io.confab.socket;

import static java.util.Objects.requireNonNull;

import io.confab.protocol.ClientFrameReader;
import io.confab.protocol.ClientFrameReader.Request;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Json;
import io.confab.protocol.Refusal;
import io.confab.protocol.ServerFrame.ErrorFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Drives fuzzed frames through the codec in process: bytes → frame or refusal → answer → bytes.
/// Each frame depends on the seed and its number alone, so one that fails can be made again.
final class FrameFuzz {
  private static final int BODY_BYTES = 16_384;
  private static final int ROOMS = 1_000;
  private static final int ID_LENGTH = 64;
  private static final int FIELD_LENGTH = 128;
  private static final int ANSWER_BYTES = 2_048;
  private static final long TELL_EVERY = 500_000;
  private static final Set<ErrorCode> CODES =
      Set.of(
          ErrorCode.INVALID_JSON,
          ErrorCode.INVALID_FIELD,
          ErrorCode.UNKNOWN_TYPE,
          ErrorCode.TOO_LARGE);

  private final ClientFrameReader reader = new ClientFrameReader(BODY_BYTES, ROOMS);
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final Map<ErrorCode, Long> refused = new EnumMap<>(ErrorCode.class);
  private final long seed;
  private long accepted;
  private long notUtf8;

  FrameFuzz(long seed) {
    this.seed = seed;
  }

  /// Frames `first` to `first + count - 1` of this seed. Fails with the seed, the number and the
  /// frame in hex.
  void run(long first, long count, Consumer<String> progress) {
    long begin = System.nanoTime();
    for (long i = first; i < first + count; i++) {
      byte[] frame = FrameTexts.make(new SplittableRandom(seed + i * 0x9E3779B97F4A7C15L));
      try {
        take(frame);
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
        "%,d frames (%,d/s), seed %d: %,d taken, %,d not UTF-8, refused %s",
        done,
        done * 1_000_000_000L / Math.max(1, nanos),
        seed,
        accepted,
        notUtf8,
        refused);
  }

  private void take(byte[] frame) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(frame)).toString();
    } catch (CharacterCodingException _) {
      notUtf8++;
      return; // the socket closes
    }
    Request request = read(text);
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

  private Request read(String text) {
    try {
      return reader.read(text);
    } catch (Refusal refusal) {
      require(refusal.code() == ErrorCode.INVALID_JSON, "what has no answerer is no JSON");
      return new Request(null, null, refusal, null);
    }
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
    ByteBuf framed = FrameEncoder.encode(bytes, allocator);
    require(framed.readableBytes() > bytes.length, "a header");
    framed.release();
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

  long notUtf8() {
    return notUtf8;
  }
}
