package io.confab.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.confab.config.Rate;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.testing.Allocated;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LimitsTest {
  private static final Rate SENDS = new Rate(50, Duration.ofSeconds(1), 100);
  private static final Rate ROOMS = new Rate(1, Duration.ofMinutes(1), 4);

  private long now;
  private final List<Limit> refused = new ArrayList<>();
  private final FakeShared shared = new FakeShared();

  /// One bucket for all nodes, or nobody who answers.
  private final class FakeShared implements SharedBuckets {
    private final Map<String, Long> fullAt = new HashMap<>();
    private final List<Integer> told = new ArrayList<>();
    private final List<Promise<Duration>> waiting = new ArrayList<>();
    private boolean away;
    private boolean hangs;

    @Override
    public Future<Duration> take(Limit limit, String who, Rate rate, int tokens) {
      told.add(tokens);
      if (hangs) {
        Promise<Duration> answer = Promise.promise();
        waiting.add(answer);
        return answer.future();
      }
      if (away) {
        return Future.failedFuture(Refusal.unavailable("away"));
      }
      long full =
          Math.max(now, fullAt.getOrDefault(limit + who, now))
              + tokens * rate.per().toNanos() / rate.count();
      fullAt.put(limit + who, full);
      return Future.succeededFuture(Duration.ofNanos(full - now));
    }
  }

  /// docs/architecture.md multiplies it.
  @Test
  void aBucketTakesFewHundredBytes() {
    int most = 64_000;
    BucketTable table = new BucketTable(most, _ -> new Bucket(SENDS, 0), _ -> false);
    List<String> addresses =
        IntStream.range(0, 2 * most)
            .mapToObj(i -> "2001:db8:%x:%x".formatted(i >> 16, i & 0xffff))
            .toList();

    long bytes =
        Allocated.by(
            () ->
                addresses.forEach(
                    who ->
                        table.with(new BucketTable.Key(Limit.REQUESTS, who), Function.identity())));

    assertThat(table.size()).isLessThanOrEqualTo(most);
    assertThat(bytes / (2L * most)).isBetween(50L, 200L);
  }

  @Test
  void bucketsThatAreIdleGiveWayToThoseInUse() {
    AtomicLong now = new AtomicLong();
    BucketTable table =
        new BucketTable(
            10_000, _ -> new Bucket(SENDS, now.get()), bucket -> bucket.isIdle(now.get()));
    takeEach(table, "early", now.get());
    takeEach(table, "soon", now.get());
    assertThat(table.size()).isEqualTo(2_000);

    now.addAndGet(Duration.ofHours(1).toNanos());
    for (int i = 0; i < 100; i++) {
      takeEach(table, "late", now.get());
    }
    assertThat(table.size()).isEqualTo(1_000);
  }

  private static void takeEach(BucketTable table, String who, long now) {
    for (int i = 0; i < 1_000; i++) {
      table.with(
          new BucketTable.Key(Limit.REQUESTS, who + i),
          bucket -> {
            bucket.take(now);
            return bucket;
          });
    }
  }

  @Test
  void aBucketIsIdleWhenItHasBeenFullForTenMinutes() {
    long minute = Duration.ofMinutes(1).toNanos();
    Bucket bucket = new Bucket(ROOMS, 0);
    assertThat(bucket.isIdle(9 * minute)).isFalse();
    assertThat(bucket.isIdle(10 * minute)).isTrue();

    bucket.take(10 * minute);
    assertThat(bucket.isIdle(20 * minute)).isFalse();
    assertThat(bucket.isIdle(21 * minute)).isTrue();

    bucket.report(1);
    assertThat(bucket.isIdle(60 * minute)).isFalse();
    bucket.reported(Duration.ZERO, 60 * minute);
    assertThat(bucket.isIdle(69 * minute)).isFalse();
    assertThat(bucket.isIdle(70 * minute)).isTrue();
  }

  @Test
  void whatIsGivenBackIsThereAgainForThisNodeAndForAnotherThatComes() {
    Limits one = node();
    for (int i = 0; i < 4; i++) {
      one.take(Limit.ROOMS, "a");
    }
    one.giveBack(Limit.ROOMS, "a");
    one.take(Limit.ROOMS, "a");
    assertThat(one.delay(Limit.ROOMS, "a")).isPositive();
    for (int i = 0; i < 9; i++) {
      one.giveBack(Limit.ROOMS, "b");
    }
    assertThat(one.standing(Limit.ROOMS, "b").left()).isEqualTo(4);
  }

  private Limits node() {
    return new Limits(
        TestConfig.rates(Map.of("sends", SENDS, "rooms", ROOMS)),
        shared,
        refused::add,
        () -> now,
        1_000);
  }

  private static @Nullable Refusal refusal(Limits limits, Limit limit, String who) {
    return catchThrowableOfType(Refusal.class, () -> limits.take(limit, who));
  }

  private static int takeAll(Limits limits, Limit limit, String who) {
    int taken = 0;
    while (refusal(limits, limit, who) == null) {
      taken++;
    }
    return taken;
  }

  @Test
  void beyondTheBurstIsRefusedWithTheTimeToWaitAndCounted() {
    Limits limits = node();
    assertThat(takeAll(limits, Limit.SENDS, "a")).isEqualTo(100);
    Refusal refusal = requireNonNull(refusal(limits, Limit.SENDS, "a"));
    assertThat(refusal.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refusal.retryAfter()).contains(Duration.ofMillis(20));
    assertThat(refused).containsExactly(Limit.SENDS, Limit.SENDS);

    now += refusal.retryAfter().orElseThrow().toNanos();
    assertThat(refusal(limits, Limit.SENDS, "a")).isNull();
  }

  @Test
  void whatIsRefusedForAnotherReasonIsNotCounted() {
    Limits limits = node();
    for (int i = 0; i < 1_000; i++) {
      assertThat(
              limits
                  .counted(
                      Limit.SENDS,
                      "a",
                      () -> Future.failedFuture(new Refusal(ErrorCode.MUTED, "muted")))
                  .failed())
          .isTrue();
    }
    for (int i = 0; i < 100; i++) {
      limits.counted(Limit.SENDS, "a", Future::succeededFuture);
    }
    assertThat(refusal(limits, Limit.SENDS, "a")).isNotNull();
  }

  @Test
  void oneIsNotHeldUpByAnotherNorByAnotherLimit() {
    Limits limits = node();
    takeAll(limits, Limit.SENDS, "a");
    assertThat(refusal(limits, Limit.SENDS, "b")).isNull();
    assertThat(refusal(limits, Limit.CHANGES, "a")).isNull();
  }

  @Test
  void ofManySendsOnlyEachChunkIsToldToTheOthers() {
    Limits limits = node();
    for (int i = 0; i < 99; i++) {
      limits.take(Limit.SENDS, "a");
    }
    assertThat(shared.told).containsExactly(25, 25, 25);
  }

  @Test
  void twoNodesShareALimitUpToAChunkEach() {
    Limits one = node();
    Limits two = node();
    int first = takeAll(one, Limit.SENDS, "a");
    int second = takeAll(two, Limit.SENDS, "a");
    assertThat(first).isEqualTo(100);
    assertThat(second).isEqualTo(25);
  }

  @Test
  void overTimeTheNodesTogetherLetThroughTheRateAloneWhateverTheirNumber() {
    List<Limits> nodes = List.of(node(), node(), node(), node());
    int taken = 0;
    int seconds = 100;
    for (int i = 0; i < seconds * 200; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(5);
      for (Limits each : nodes) {
        if (refusal(each, Limit.SENDS, "a") == null) {
          taken++;
        }
      }
    }
    assertThat(taken).isBetween(50 * seconds, 50 * seconds + 100 + nodes.size() * 25);
  }

  @Test
  void withoutRedisEachNodeCountsAlone() {
    shared.away = true;
    assertThat(takeAll(node(), Limit.ROOMS, "a")).isEqualTo(4);
    assertThat(takeAll(node(), Limit.ROOMS, "a")).isEqualTo(4);
  }

  @Test
  void aRedisThatHangsHoldsNobody() {
    shared.hangs = true;
    assertThat(takeAll(node(), Limit.SENDS, "a")).isEqualTo(100);
    assertThat(shared.told).containsExactly(25);
  }

  @Test
  void whatIsTakenDuringAReportIsReportedNext() {
    shared.hangs = true;
    Limits limits = node();
    for (int i = 0; i < 55; i++) {
      limits.take(Limit.SENDS, "a");
    }
    limits.giveBack(Limit.SENDS, "a");
    assertThat(shared.told).containsExactly(25);
    shared.waiting.getFirst().complete(Duration.ZERO);
    assertThat(shared.told).containsExactly(25, 29);
  }

  @Test
  void aRefusedTakeLetsAnIdleBucketGo() {
    Limits limits = node();
    for (int i = 0; i < 10_000; i++) { // as many as there may be in each stripe
      limits.delay(Limit.REQUESTS, "early " + i);
    }
    now = Duration.ofHours(1).toNanos();
    assertThat(takeAll(limits, Limit.ROOMS, "a")).isEqualTo(4);
    int before = limits.size();
    assertThat(refusal(limits, Limit.ROOMS, "a")).isNotNull();
    assertThat(limits.size()).isEqualTo(before - 1);
  }

  @Test
  void whatIsCountedByEachNodeAloneIsToldToNobody() {
    Limits limits = node();
    for (int i = 0; i < 1_000; i++) {
      limits.take(Limit.FRAMES, "a");
    }
    assertThat(shared.told).isEmpty();
  }

  @Test
  void lookingCountsNothingAndWhatHappenedCountsAlsoBeyond() {
    Limits limits = node();
    for (int i = 0; i < 10; i++) {
      limits.check(Limit.ROOMS, "a");
    }
    for (int i = 0; i < 6; i++) {
      limits.count(Limit.ROOMS, "a");
    }
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> limits.check(Limit.ROOMS, "a"));
    assertThat(refusal.retryAfter()).contains(Duration.ofMinutes(3));
  }

  @Test
  void theNumberOfBucketsIsBounded() {
    Limits limits = node();
    for (int i = 0; i < 10_000; i++) {
      limits.take(Limit.SENDS, "who" + i);
    }
    assertThat(limits.size()).isLessThan(1_100);
  }
}
