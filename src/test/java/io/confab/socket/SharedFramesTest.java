package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.Event;
import io.confab.feed.RoomSignal;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedFramesTest {
  private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
  private final SharedFrames encoder = new SharedFrames();

  @Test
  void theFrameOfAnEventIsMadeOnceAndSharedByAll() {
    Event event = event(1);
    ByteBuf one = encoder.shared(event, true, allocator);
    ByteBuf other = encoder.shared(event, true, allocator);
    assertThat(other).isSameAs(one);
    assertThat(one.refCnt()).isEqualTo(3);
    assertThat(other.readableBytes()).isEqualTo(2 + 10);
    one.release();
    other.release();
    encoder.close();
  }

  private static Event large(int rev, int bytes) {
    return new Event(new RoomId(1), new Epoch(1), new Rev(rev), new Event.OfRoom(), text(bytes));
  }

  @Test
  void thoseWhoReplayAPageOneAfterTheOtherShareItsFrames() {
    List<Event> page = IntStream.range(0, 15).mapToObj(rev -> large(rev, 16_384)).toList();
    List<ByteBuf> first = page.stream().map(e -> encoder.shared(e, true, allocator)).toList();
    List<ByteBuf> second = page.stream().map(e -> encoder.shared(e, true, allocator)).toList();
    assertThat(first).allMatch(frame -> frame.refCnt() == 3);
    first.forEach(ByteBuf::release);
    second.forEach(ByteBuf::release);
    encoder.close();
    assertThat(first).allMatch(frame -> frame.refCnt() == 0);
  }

  @Test
  void whatIsKeptIsBoundedInBytesAndTheOldestGoesFirst() {
    List<ByteBuf> made = new ArrayList<>();
    for (int rev = 0; rev < 1_000; rev++) {
      ByteBuf frame = encoder.shared(large(rev, 100 * (rev % 200)), true, allocator);
      frame.release();
      made.add(frame);
      List<ByteBuf> kept = made.stream().filter(each -> each.refCnt() > 0).toList();
      assertThat(kept.stream().mapToInt(ByteBuf::capacity).sum())
          .isLessThanOrEqualTo(SharedFrames.MOST_BYTES);
      assertThat(kept).isEqualTo(made.subList(made.size() - kept.size(), made.size()));
    }
    ByteBuf tooLarge = encoder.shared(large(1, SharedFrames.MOST_BYTES), true, allocator);
    assertThat(tooLarge.refCnt()).isEqualTo(1);
    assertThat(made).allMatch(each -> each.refCnt() == 0);
    tooLarge.release();
  }

  @Test
  void aSmallFrameOfALargeEventCountsWhatTheEventTakes() {
    List<ByteBuf> made = new ArrayList<>();
    for (int rev = 0; rev < 200; rev++) {
      ByteBuf frame = encoder.shared(large(rev, 16_384), false, allocator);
      frame.release();
      made.add(frame);
    }
    long kept = made.stream().filter(each -> each.refCnt() > 0).count();
    assertThat(kept * 16_384).isPositive().isLessThanOrEqualTo(SharedFrames.MOST_BYTES);
    encoder.close();
  }

  @Test
  void theFrameOfWhoMayNotSeeAnEventDoesNotPutAwayThatOfTheOthers() {
    Event event = event(1);
    ByteBuf one = encoder.shared(event, true, allocator);
    ByteBuf hidden = encoder.shared(event, false, allocator);
    ByteBuf other = encoder.shared(event, true, allocator);
    ByteBuf hiddenToo = encoder.shared(event, false, allocator);
    assertThat(one.refCnt()).isEqualTo(3);
    assertThat(hidden.refCnt()).isEqualTo(3);
    assertThat(hidden.toString(2, hidden.readableBytes() - 2, StandardCharsets.UTF_8))
        .contains("\"hidden\"");
    List.of(one, hidden, other, hiddenToo).forEach(ByteBuf::release);
    encoder.close();
    assertThat(one.refCnt() + hidden.refCnt()).isZero();
  }

  @Test
  void aSignalIsMadeOnceAndDoesNotPutAwayTheFrameOfAnEvent() {
    RoomSignal signal =
        new RoomSignal(
            new RoomId(1),
            new AccountId(2),
            new RoomSignal.State("typing", Duration.ZERO),
            Set.of(),
            text(10));
    Event event = event(1);
    ByteBuf shown = encoder.shared(event, true, allocator);
    ByteBuf one = encoder.shared(signal, allocator);
    ByteBuf other = encoder.shared(signal, allocator);
    ByteBuf shownAgain = encoder.shared(event, true, allocator);
    assertThat(one.refCnt()).isEqualTo(3);
    assertThat(shown.refCnt()).isEqualTo(3);
    List.of(shown, one, other, shownAgain).forEach(ByteBuf::release);
    encoder.close();
    assertThat(one.refCnt() + shown.refCnt()).isZero();
  }

  @Test
  void aClosedEncoderMayBeClosedAgainAndUsed() {
    encoder.close();
    encoder.close();
    ByteBuf frame = encoder.shared(event(1), true, allocator);
    assertThat(frame.readableBytes()).isEqualTo(12);
    frame.release();
    encoder.close();
    assertThat(frame.refCnt()).isZero();
  }

  @Test
  void aFrameThatCannotBeMadeTakesNothingFromTheOneBefore() {
    ByteBuf queued = encoder.shared(event(1), true, allocator);
    ByteBufAllocator full =
        new AbstractByteBufAllocator() {
          @Override
          protected ByteBuf newHeapBuffer(int initial, int most) {
            throw new OutOfMemoryError("of the heap");
          }

          @Override
          protected ByteBuf newDirectBuffer(int initial, int most) {
            throw new OutOfMemoryError("of direct buffers");
          }

          @Override
          public boolean isDirectBufferPooled() {
            return false;
          }
        };
    assertThatThrownBy(() -> encoder.shared(event(2), true, full))
        .isInstanceOf(OutOfMemoryError.class);
    encoder.shared(event(3), true, allocator).release();
    encoder.close();
    assertThat(queued.refCnt()).isEqualTo(1);
    assertThat(queued.getByte(2)).isEqualTo((byte) 1);
    queued.release();
  }

  private static Event event(int rev) {
    byte[] frame = text(10);
    frame[0] = (byte) rev;
    return new Event(new RoomId(1), new Epoch(1), new Rev(rev), new Event.OfRoom(), frame);
  }

  private static byte[] text(int length) {
    byte[] text = new byte[length];
    Arrays.fill(text, (byte) 'x');
    return text;
  }
}
