package io.confab.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.time.Timing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RoomLinesTest {
  private static final RoomId ROOM = new RoomId(1);
  private static final RoomId OTHER = new RoomId(2);
  private static final int BYTES = 1_000;
  private static final int MOST_BYTES = 20_000_000;

  private final List<Promise<String>> begun = new ArrayList<>();
  private long now;
  private final RoomLines lines =
      new RoomLines(
          new Timing() {
            @Override
            public long nanoTime() {
              return now;
            }

            @Override
            public Future<Void> pause(Duration duration) {
              return Future.succeededFuture();
            }
          },
          Duration.ofSeconds(5),
          MOST_BYTES);

  private Future<String> change(RoomId room) {
    return lines.run(
        room,
        BYTES,
        () -> {
          Promise<String> mine = Promise.promise();
          begun.add(mine);
          return mine.future();
        });
  }

  private static boolean isRefused(Future<?> future) {
    return future.failed() && future.cause() instanceof Refusal;
  }

  @Test
  void aChangeBeginsWhenTheOneBeforeItInItsRoomIsOver() {
    Future<String> first = change(ROOM);
    Future<String> second = change(ROOM);
    change(OTHER);
    assertThat(begun).hasSize(2);
    begun.getFirst().complete("first");
    assertThat(first.result()).isEqualTo("first");
    assertThat(begun).hasSize(3);
    begun.getLast().complete("second");
    assertThat(second.result()).isEqualTo("second");
    change(ROOM);
    assertThat(begun).hasSize(4);
  }

  @Test
  void oneThatIsRefusedKeepsNoneFromBeingTried() {
    change(ROOM);
    change(ROOM);
    begun.getFirst().fail(Refusal.noSuchRoom());
    assertThat(begun).hasSize(2);
  }

  @Test
  void whatTheDatabaseDoesNotAnswerEndsTheWaitingOfAll() {
    Future<String> first = change(ROOM);
    Future<String> second = change(ROOM);
    begun.getFirst().fail(new TimeoutException());
    assertThat(first.cause()).isInstanceOf(TimeoutException.class);
    assertThat(isRefused(second)).isTrue();
    change(ROOM);
    assertThat(begun).hasSize(2);
  }

  @Test
  void whoWaitedTooLongIsRefusedAndTheNextOneGoes() {
    change(ROOM);
    Future<String> late = change(ROOM);
    now += Duration.ofSeconds(6).toNanos();
    Future<String> next = change(ROOM);
    begun.getFirst().complete("first");
    assertThat(isRefused(late)).isTrue();
    begun.getLast().complete("next");
    assertThat(next.result()).isEqualTo("next");
  }

  @Test
  void aRoomHasAnEndAndLeavesOthersTheirs() {
    for (int i = 0; i <= RoomLines.MOST_OF_A_ROOM; i++) {
      assertThat(change(ROOM).isComplete()).isFalse();
    }
    assertThat(isRefused(change(ROOM))).isTrue();
    assertThat(change(OTHER).isComplete()).isFalse();
    begun.getFirst().complete("first");
    assertThat(change(ROOM).isComplete()).isFalse();
  }

  @Test
  void allRoomsTogetherHaveAnEnd() {
    int rooms = MOST_BYTES / BYTES / RoomLines.MOST_OF_A_ROOM;
    for (int room = 0; room < rooms; room++) {
      for (int i = 0; i <= RoomLines.MOST_OF_A_ROOM; i++) {
        assertThat(change(new RoomId(room)).isComplete()).isFalse();
      }
    }
    change(new RoomId(rooms));
    assertThat(isRefused(change(new RoomId(rooms)))).isTrue();
    begun.getFirst().fail(new TimeoutException());
    assertThat(change(new RoomId(rooms)).isComplete()).isFalse();
  }

  @Test
  void whatThrowsFailsLikeTheRest() {
    Future<String> thrown =
        lines.run(
            ROOM,
            BYTES,
            () -> {
              throw new IllegalStateException("bug");
            });
    assertThat(thrown.cause()).hasMessage("bug");
    change(ROOM);
    assertThat(begun).hasSize(1);
  }
}
