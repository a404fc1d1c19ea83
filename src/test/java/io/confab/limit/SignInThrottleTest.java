package io.confab.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.config.Rate;
import io.confab.listener.ClientAddress;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.testing.TestConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignInThrottleTest {
  private static final ClientAddress HOME = address(1);
  private static final Rate HUNDRED = new Rate(100, Duration.ofMinutes(15), 100);

  private long now;
  private int tried;
  private int withdrawn;

  /// What Redis answers to a try, empty: it is away.
  private Optional<Duration> redis = Optional.empty();

  private final Limits limits =
      new Limits(
          TestConfig.rates(Map.of("failedSignIns", HUNDRED, "handleSignIns", HUNDRED)),
          (_, _, _, _) -> Future.failedFuture("alone"),
          _ -> {},
          () -> now);
  private final SignInThrottle throttle =
      new SignInThrottle(
          limits,
          new SharedTries() {
            @Override
            public Future<Duration> begin(String who) {
              return redis
                  .map(Future::succeededFuture)
                  .orElseGet(() -> Future.failedFuture(Refusal.unavailable("Redis is away")));
            }

            @Override
            public Future<Void> withdraw(String who) {
              withdrawn++;
              return Future.failedFuture(Refusal.unavailable("Redis is away"));
            }

            @Override
            public Future<Void> forget(String who) {
              return Future.failedFuture(Refusal.unavailable("Redis is away"));
            }
          },
          () -> now);

  private static ClientAddress address(int number) {
    return ClientAddress.parse("10.0.%d.%d".formatted(number / 256, number % 256)).orElseThrow();
  }

  private static Visitor stranger(String handle, ClientAddress from) {
    return new Visitor(handle, from, Optional.empty(), false);
  }

  private static Visitor known(String handle, ClientAddress from) {
    return new Visitor(handle, from, Optional.empty(), true);
  }

  private Future<String> tryIt(String handle, ClientAddress from, boolean right) {
    return tryIt(stranger(handle, from), right);
  }

  private Future<String> tryIt(Visitor visitor, boolean right) {
    try {
      return throttle.attempt(
          visitor,
          ErrorCode.UNAUTHORIZED,
          () -> {
            tried++;
            return right
                ? Future.succeededFuture("in")
                : Future.failedFuture(new Refusal(ErrorCode.UNAUTHORIZED, "wrong"));
          });
    } catch (Refusal refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private static ErrorCode code(Future<String> answer) {
    return ((Refusal) answer.cause()).code();
  }

  @Test
  void eachFurtherFailureWaitsTwiceAsLongUpToFiveMinutesAndNeverForGood() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      assertThat(code(tryIt("ada", HOME, false))).isEqualTo(ErrorCode.UNAUTHORIZED);
      Future<String> next = i < 4 ? Future.failedFuture("") : tryIt("ada", HOME, false);
      if (next.cause() instanceof Refusal refusal) {
        Duration wait = refusal.retryAfter().orElseThrow();
        assertThat(refusal.code()).isEqualTo(ErrorCode.RATE_LIMITED);
        waits.add(wait.toSeconds());
        now += wait.toNanos();
      }
    }
    assertThat(waits).startsWith(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
    assertThat(tried).isEqualTo(16);
    assertThat(tryIt("ada", HOME, true).succeeded()).isTrue();
  }

  @Test
  void theOwnerGetsInFromAnotherAddressDuringAThousandGuesses() {
    for (int i = 0; i < 1_000; i++) {
      tryIt("ada", HOME, false);
    }
    assertThat(tried).isEqualTo(5);
    assertThat(code(tryIt("ada", HOME, true))).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(tryIt("ada", address(2), true).succeeded()).isTrue();
  }

  @Test
  void whoIsKnownGetsInWhileAThousandAddressesGuessNoMoreThanTheirAllowance() {
    for (int i = 2; i < 1_000; i++) {
      tryIt("ada", address(i), false);
      tryIt("ada", address(i), false);
    }
    assertThat(tried).isEqualTo(100);
    assertThat(code(tryIt("ada", HOME, true))).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(code(tryIt(known("ada", HOME), false))).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(tryIt(known("ada", HOME), true).succeeded()).isTrue();
    assertThat(tryIt("bob", HOME, true).succeeded()).isTrue();
  }

  @Test
  void whoKnowsThePasswordTakesNothingFromTheAllowanceOfStrangers() {
    for (int i = 2; i < 300; i++) {
      assertThat(tryIt(i % 2 == 0 ? "ada" : "ADA", address(i), true).succeeded()).isTrue();
    }
    for (int i = 300; i < 500; i++) {
      tryIt("ada", address(i), false);
    }
    assertThat(tried).isEqualTo(298 + 100);
  }

  @Test
  void whatNobodyJudgedTakesNothingFromTheAllowanceOfStrangers() {
    for (int i = 2; i < 300; i++) {
      throttle
          .attempt(
              stranger("ada", address(i)),
              ErrorCode.UNAUTHORIZED,
              () -> Future.failedFuture(Refusal.unavailable("PostgreSQL is away")))
          .otherwiseEmpty();
    }
    assertThat(tryIt("ada", HOME, true).succeeded()).isTrue();
  }

  @Test
  void aTryIsTakenBackOnlyWhereItWasCounted() {
    for (int i = 0; i < 5; i++) {
      tryIt("ada", HOME, false); // while Redis is away
    }
    redis = Optional.of(Duration.ZERO);
    throttle
        .attempt(
            stranger("ada", HOME),
            ErrorCode.UNAUTHORIZED,
            () -> Future.failedFuture(Refusal.unavailable("PostgreSQL is away")))
        .otherwiseEmpty();
    assertThat(withdrawn).isEqualTo(1);
    redis = Optional.empty();
    assertThat(code(tryIt("ada", HOME, true))).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(withdrawn).isEqualTo(1);
  }

  @Test
  void aVisitorIsTheSameHoweverTheHandleIsWritten() {
    assertThat(known("ADA", HOME)).isEqualTo(known("ada", HOME));
  }

  @Test
  void strangersWhoAreRefusedDoNotProlongTheirWait() {
    for (int i = 2; i < 1_000; i++) {
      tryIt("ada", address(i), false);
    }
    now += TimeUnit.SECONDS.toNanos(9);
    assertThat(tryIt("ada", HOME, true).succeeded()).isTrue();
  }

  @Test
  void guessesOfOneAddressDoNotSlowAKnownDeviceBehindIt() {
    for (int i = 0; i < 300; i++) {
      tryIt("ada", HOME, false);
      tryIt("handle" + i, HOME, false);
    }
    assertThat(code(tryIt(known("ada", HOME), true))).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(tryIt(Visitor.onDevice("ada", HOME, "phone"), true).succeeded()).isTrue();
  }

  @Test
  void whatNobodyCouldJudgeDoesNotForgiveTheGuessesBefore() {
    for (int i = 0; i < 4; i++) {
      tryIt("ada", HOME, false);
    }
    for (int i = 0; i < 3; i++) {
      throttle
          .attempt(
              stranger("ada", HOME),
              ErrorCode.UNAUTHORIZED,
              () -> Future.failedFuture(Refusal.unavailable("the line is full")))
          .otherwiseEmpty();
    }
    assertThat(code(tryIt("ada", HOME, false))).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(code(tryIt("ada", HOME, false))).isEqualTo(ErrorCode.RATE_LIMITED);
  }

  @Test
  void theNetworksOfOneCustomerFailTogether() {
    for (int i = 0; i < 200; i++) {
      ClientAddress from = ClientAddress.parse("2001:db8:7:%x::1".formatted(i)).orElseThrow();
      tryIt("handle" + i, from, false);
    }
    assertThat(tried).isEqualTo(100);
    ClientAddress neighbour = ClientAddress.parse("2001:db8:8::1").orElseThrow();
    assertThat(code(tryIt("bob", neighbour, false))).isEqualTo(ErrorCode.UNAUTHORIZED);
  }

  @Test
  void oneAddressThatTriesManyHandlesIsSlowedAndOthersAreNot() {
    for (int i = 0; i < 1_000; i++) {
      tryIt("handle" + i, HOME, false);
    }
    assertThat(tried).isEqualTo(100);
    assertThat(code(tryIt("bob", HOME, true))).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(tryIt("bob", address(2), true).succeeded()).isTrue();
    now += TimeUnit.SECONDS.toNanos(9);
    assertThat(tryIt("bob", HOME, true).succeeded()).isTrue();
  }

  @Test
  void aTryThatNobodyCouldJudgeHoldsNobodyUp() {
    for (int i = 0; i < 50; i++) {
      Future<String> away =
          throttle.attempt(
              stranger("ada", HOME),
              ErrorCode.UNAUTHORIZED,
              () -> Future.failedFuture(Refusal.unavailable("PostgreSQL is away")));
      assertThat(code(away)).isEqualTo(ErrorCode.UNAVAILABLE);
    }
    assertThat(tryIt("ada", HOME, true).succeeded()).isTrue();
  }

  @Test
  void successForgetsTheFailures() {
    for (int i = 0; i < 50; i++) {
      assertThat(code(tryIt("ada", HOME, false))).isEqualTo(ErrorCode.UNAUTHORIZED);
      assertThat(tryIt("ADA", HOME, true).succeeded()).isTrue();
    }
  }

  @Test
  void guessesAtTheSameMomentCountBeforeTheyHaveFailed() {
    List<Promise<String>> underWay = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      throttle.attempt(
          stranger("ada", HOME),
          ErrorCode.UNAUTHORIZED,
          () -> {
            Promise<String> promise = Promise.promise();
            underWay.add(promise);
            return promise.future();
          });
    }
    assertThat(underWay).hasSize(5);
  }
}
