package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.FamilyId;
import io.confab.account.outside.Bearer;
import io.confab.account.outside.OutsideIdentity;
import io.confab.account.outside.OutsideToken;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ExpiryTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final OutsideIdentity ANN = new OutsideIdentity("issuer", "ann");

  private record Timer(Instant due, Runnable action) {}

  private final List<Timer> timers = new ArrayList<>();
  private Instant now = START;
  private int told;
  private final Expiry expiry = begun(START.plusSeconds(60));

  private Expiry begun(Instant end) {
    Expiry made =
        new Expiry(
            token(ANN, end),
            (delay, action) -> timers.add(new Timer(now.plus(delay), action)),
            () -> now,
            () -> told++);
    made.begin();
    return made;
  }

  private static OutsideToken token(OutsideIdentity identity, Instant end) {
    return new OutsideToken(identity, null, null, end.getEpochSecond());
  }

  private Duration renew(OutsideIdentity identity, Instant end) {
    return expiry.renew(new Bearer.Outside(token(identity, end)));
  }

  /// Time passes second by second, as the wheel sees it.
  private void until(Instant end) {
    while (now.isBefore(end)) {
      now = now.plusSeconds(1);
      signal();
    }
  }

  private void signal() {
    List<Timer> due = timers.stream().filter(timer -> !timer.due().isAfter(now)).toList();
    timers.removeAll(due);
    due.forEach(timer -> timer.action().run());
  }

  @Test
  void aSessionOutlivesItsTokenByTwentyFiveSeconds() {
    until(START.plusSeconds(84));
    assertThat(told).isZero();
    until(START.plusSeconds(85));
    assertThat(told).isEqualTo(1);
    until(START.plusSeconds(200));
    assertThat(told).isEqualTo(1);
    assertThat(timers).isEmpty();
  }

  @Test
  void aLaterTokenOfTheSameIdentityProlongsIt() {
    until(START.plusSeconds(80));
    assertThat(renew(ANN, START.plusSeconds(300))).isEqualTo(Duration.ofSeconds(220));
    until(START.plusSeconds(324));
    assertThat(told).isZero();
    until(START.plusSeconds(325));
    assertThat(told).isEqualTo(1);
  }

  @Test
  void oneThatEndsSoonerChangesNothing() {
    assertThat(renew(ANN, START.plusSeconds(10))).isEqualTo(Duration.ofSeconds(10));
    until(START.plusSeconds(84));
    assertThat(told).isZero();
    assertThat(renew(ANN, START.plusSeconds(70))).isEqualTo(Duration.ZERO);
  }

  @Test
  void anotherIdentityIsRefused() {
    Instant end = START.plusSeconds(300);
    Authenticated signIn =
        new Authenticated(
            new Caller(new AccountId(1), new DeviceId("d")), new FamilyId(new UUID(1, 1)));
    for (Bearer bearer :
        List.of(
            new Bearer.Outside(token(new OutsideIdentity("issuer", "bob"), end)),
            new Bearer.Outside(token(new OutsideIdentity("other", "ann"), end)),
            new Bearer.OnDevice(signIn))) {
      assertThatThrownBy(() -> expiry.renew(bearer)).isInstanceOf(Refusal.class);
    }
    until(START.plusSeconds(85));
    assertThat(told).isEqualTo(1);
  }

  @Test
  void theClockCountsWhenTimersStoodStill() {
    now = START.plusSeconds(10_000);
    signal();
    assertThat(told).isEqualTo(1);
  }

  @Test
  void anEndFarAwayNeedsNoTimerOfThatLength() {
    timers.clear();
    begun(Instant.ofEpochSecond(253_402_300_799L));
    assertThat(timers).singleElement().matches(t -> t.due().isBefore(START.plusSeconds(60)));
  }

  @Test
  void onceClosedNothingIsTold() {
    expiry.close();
    until(START.plusSeconds(200));
    assertThat(told).isZero();
    assertThat(timers).isEmpty();
  }
}
