package io.confab.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.RefreshTokenState.Verdict;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefreshTokenStateTest {
  @ParameterizedTest
  @CsvSource(
      useHeadersInDisplayName = true,
      textBlock =
          """
          current, expired, spentMs, unused, verdict
          true,    false,   -1,      false,  ROTATE
          true,    true,    -1,      false,  REFUSE
          false,   false,   -1,      false,  REFUSE
          true,    false,   0,       true,   REPEAT
          true,    false,   60000,   true,   REPEAT
          true,    false,   60001,   true,   REVOKE
          true,    false,   1000,    false,  REVOKE
          true,    false,   60001,   false,  REVOKE
          false,   false,   1000,    true,   REFUSE
          true,    true,    1000,    true,   REFUSE
          """)
  void aTokenIsJudgedByItsState(
      boolean current, boolean expired, long spentMs, boolean unused, Verdict verdict) {
    Optional<Duration> spentAgo =
        spentMs < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(spentMs));
    assertThat(new RefreshTokenState(signIn(), current, expired, spentAgo, unused).verdict())
        .isEqualTo(verdict);
  }

  private static Authenticated signIn() {
    return new Authenticated(
        new Caller(new AccountId(1), new DeviceId("d")), new FamilyId(new UUID(0, 1)));
  }
}
