package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.Refusals;
import io.confab.client.sealedroom.SendRules.Next;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresentDevice;
import io.confab.protocol.RegistrationId;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SendRulesTest {
  private static final String DEVICES = "0123456789abcdef";
  private static final PresentDevice ANN =
      new PresentDevice(new AccountId(17), new DeviceId("a"), new RegistrationId(41));
  private static final PresentDevice BOB =
      new PresentDevice(new AccountId(18), new DeviceId("b"), new RegistrationId(42));

  private final SendRules rules =
      new SendRules(
          new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), new Random(1)), false);

  private Next refused(ApiException refusal) {
    return rules.refused(refusal, DEVICES);
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"UNAVAILABLE", "INTERNAL", "SLOW_MODE", "MUTED", "RATE_LIMITED"})
  void theSameBytesGoAgainAfterWhatPasses(ErrorCode code) {
    for (int i = 0; i < 100; i++) {
      assertThat(refused(Refusals.of(code))).isInstanceOf(Next.Again.class);
    }
  }

  @Test
  void theSameBytesGoAgainWhereNobodyKnowsWhatBecameOfThem() {
    assertThat(refused(Refusals.unreachable())).isInstanceOf(Next.Again.class);
  }

  @Test
  void pausesAreAsLongAsTheServerSays() {
    Duration hour = Duration.ofHours(1);
    assertThat(refused(Refusals.after(ErrorCode.RATE_LIMITED, hour)))
        .isEqualTo(new Next.Again(hour));
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {
        "NOT_FOUND",
        "BLOCKED",
        "FORBIDDEN",
        "IDEMPOTENCY_MISMATCH",
        "INVALID_FIELD",
        "TOO_LARGE",
        "UNAUTHORIZED"
      })
  void whatStaysFailsForGood(ErrorCode code) {
    ApiException refusal = Refusals.of(code);
    assertThat(refused(refusal)).isEqualTo(new Next.Over(refusal));
  }

  @Test
  void otherDevicesAreSealedForAtOnceAndLaterWithPauses() {
    for (int i = 0; i < SendRules.MISMATCHES; i++) {
      assertThat(refused(Refusals.mismatch(i % 2 == 0 ? List.of(ANN) : List.of(ANN, BOB))))
          .isEqualTo(new Next.Anew(Duration.ZERO));
    }
    assertThat(refused(Refusals.mismatch(List.of(ANN))))
        .isInstanceOfSatisfying(Next.Anew.class, next -> assertThat(next.pause()).isPositive());
  }

  @Test
  void aDisagreementThatDoesNotChangeFails() {
    assertThat(refused(Refusals.mismatch(List.of(ANN, BOB)))).isInstanceOf(Next.Anew.class);
    assertThat(rules.refused(Refusals.mismatch(List.of(BOB, ANN)), "other"))
        .isInstanceOf(Next.Anew.class);
    assertThat(rules.refused(Refusals.mismatch(List.of(ANN, BOB)), "other"))
        .isInstanceOfSatisfying(
            Next.Over.class, over -> assertThat(over.why().is(ErrorCode.INTERNAL)).isTrue());
  }

  @Test
  void aBodyForADeviceThatWentIsSealedAnewOnce() {
    ApiException bodies = Refusals.of(ErrorCode.INVALID_FIELD, "envelopes");
    assertThat(refused(bodies)).isEqualTo(new Next.Anew(Duration.ZERO));
    assertThat(refused(bodies)).isEqualTo(new Next.Over(bodies));
  }

  @Test
  void aConflictWaitsForTheQueueAFewTimes() {
    ApiException conflict = Refusals.of(ErrorCode.CONFLICT);
    for (int i = 0; i < 3; i++) {
      assertThat(refused(conflict)).isInstanceOf(Next.WhenOpened.class);
    }
    assertThat(refused(conflict)).isEqualTo(new Next.Over(conflict));
  }

  @Test
  void whereNothingWasSentYetItIsMadeAgainLater() {
    assertThat(rules.unmade(Refusals.unreachable())).isInstanceOf(Next.Anew.class);
    ApiException gone = Refusals.of(ErrorCode.NOT_FOUND);
    assertThat(rules.unmade(gone)).isEqualTo(new Next.Over(gone));
  }

  @Test
  void whoIsMutedForLongKeepsTheText() {
    Duration minute = Duration.ofMinutes(1);
    assertThat(refused(Refusals.after(ErrorCode.MUTED, minute))).isEqualTo(new Next.Again(minute));
    ApiException muted = Refusals.after(ErrorCode.MUTED, Duration.ofHours(1));
    assertThat(refused(muted)).isEqualTo(new Next.Over(muted));
  }

  @Test
  void whatFailsHereAfterAnUnknownOutcomeIsKept() {
    assertThat(refused(Refusals.unreachable())).isInstanceOf(Next.Again.class);
    assertThat(refused(ApiException.local(ApiException.NOT_KEPT, "no")))
        .isInstanceOf(Next.Again.class);
    ApiException signedOut = Refusals.of(ErrorCode.UNAUTHORIZED);
    assertThat(refused(signedOut)).isEqualTo(new Next.Kept(signedOut));
    ApiException forbidden = Refusals.of(ErrorCode.FORBIDDEN);
    assertThat(refused(forbidden)).isEqualTo(new Next.Over(forbidden));
  }
}
