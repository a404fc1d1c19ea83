package io.confab.bus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BusSealTest {
  private static final byte[] CONTENT = "the password".getBytes(UTF_8);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final BusKey key = BusKey.ofThisProcess();
  private final BusSeal sender = new BusSeal(key, now::get);
  private final BusSeal receiver = new BusSeal(key, now::get);

  @Test
  void whatWasSealedIsOpenedByWhoHasTheKey() {
    byte[] sealed = sender.seal(CONTENT);
    assertThat(new String(sealed, UTF_8)).doesNotContain("password");
    assertThat(receiver.open(sealed)).isEqualTo(CONTENT);
  }

  @Test
  void theSameContentLooksOtherwiseEachTime() {
    assertThat(sender.seal(CONTENT)).isNotEqualTo(sender.seal(CONTENT));
  }

  @Test
  void aMessageIsTakenOnceAndInAnyOrder() {
    byte[] first = sender.seal(CONTENT);
    byte[] second = sender.seal(CONTENT);
    receiver.open(second);
    receiver.open(first);
    assertForged(first, "come before");
    assertForged(second, "come before");
  }

  @Test
  void everyByteIsAuthenticated() {
    byte[] sealed = sender.seal(CONTENT);
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertForged(changed, "not of this installation");
    }
    assertThat(receiver.open(sealed)).isEqualTo(CONTENT);
  }

  @Test
  void whatIsCutOffIsForged() {
    byte[] sealed = sender.seal(CONTENT);
    for (int length = 0; length < sealed.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(sealed, length);
      assertThatThrownBy(() -> receiver.open(cut)).isInstanceOf(ForgedMessageException.class);
    }
  }

  @Test
  void anotherInstallationIsNotUnderstood() {
    byte[] sealed = new BusSeal(BusKey.ofThisProcess(), now::get).seal(CONTENT);
    assertForged(sealed, "not of this installation");
  }

  @Test
  void aMessageIsOldAfterAMinute() {
    byte[] sealed = sender.seal(CONTENT);
    now.set(Instant.EPOCH.plusSeconds(60));
    byte[] early = sender.seal(CONTENT);
    assertThat(receiver.open(sealed)).isEqualTo(CONTENT);
    now.set(Instant.EPOCH.plusSeconds(121));
    assertForged(early, "of another time");
    now.set(Instant.EPOCH.minusSeconds(1));
    assertForged(early, "of another time");
  }

  @Test
  void namesAndKeysDifferByPurposeAndInstallation() {
    BusKey other = BusKey.ofThisProcess();
    assertThat(key.clusterName()).isNotEqualTo(other.clusterName()).isEqualTo(key.clusterName());
    assertThat(key.membership()).isNotEqualTo(other.membership()).isEqualTo(key.membership());
    assertThat(key.sealing(new byte[16])).isNotEqualTo(key.sealing(new byte[] {1}));
  }

  private void assertForged(byte[] sealed, String why) {
    assertThatThrownBy(() -> receiver.open(sealed))
        .isInstanceOf(ForgedMessageException.class)
        .hasMessageContaining(why);
  }
}
