package io.confab.ledger;

import static io.confab.ledger.Invariant.DEVICES_OF_ROOM;
import static io.confab.ledger.Invariant.NOTHING_MADE_UP;
import static io.confab.ledger.Invariant.ONE_TRUTH;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which devices of sealed rooms get what. Cy has the device 4 and comes into the room or not.
@Timeout(30)
class DeviceRulesTest {
  private final SealedHistory history = new SealedHistory();

  private void sent(String devices) {
    history.sends("a", devices, devices.substring(2));
    history.acked("a", 1);
    history.keeps(1, "a");
    history.is(1, "bob", Entry.DELIVERED);
    gets(2);
    gets(3);
  }

  private void gets(long device) {
    history.comes(device, 1, "a", 1, "k");
    history.keeps(device, 1);
    history.acks(device, 1);
  }

  @Test
  void whatWasSentToAllAndCameToAll() {
    history.begins(4, "cy");
    sent("1,2,3");
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void whatNobodySentSo() {
    history.sends("a", "1,2,3", "2,3");
    history.acked("a", 1);
    history.keeps(1, "a");
    history.is(1, "bob", Entry.DELIVERED);
    gets(2);
    history.comes(3, 1, "a", 1, "k", "#other");
    history.keeps(3, 1);
    history.acks(3, 1);
    assertThat(history.broken()).containsExactly(NOTHING_MADE_UP);
  }

  @Test
  void aBodyForAnotherDevice() {
    history.whispers("a", "1,2,3", "2,3", "");
    history.acked("a", 0);
    history.comes(2, 1, "a", 0, "k", "");
    history.comes(3, 1, "a", 0, "other", "");
    for (long device = 2; device <= 3; device++) {
      history.keeps(device, 1);
      history.acks(device, 1);
    }
    assertThat(history.broken()).containsExactly(NOTHING_MADE_UP);
  }

  @Test
  void aDeviceThatGetsWhatWasNotSentToIt() {
    history.whispers("a", "1,2,3", "2", "");
    history.acked("a", 0);
    history.comes(2, 1, "a", 0, "k", "");
    history.comes(3, 1, "a", 0, "", "");
    for (long device = 2; device <= 3; device++) {
      history.keeps(device, 1);
      history.acks(device, 1);
    }
    assertThat(history.broken()).containsExactly(DEVICES_OF_ROOM);
  }

  @Test
  void aDeviceOfSomebodyWhoCameLater() {
    history.begins(4, "cy");
    history.opens(4, 0);
    history.members.add(new Membership("cy", SealedHistory.ROOM, 4, 0));
    sent("1,2,3,4");
    history.is(1, "cy", Entry.DELIVERED);
    gets(4);
    assertThat(history.broken()).containsExactly(DEVICES_OF_ROOM);
  }

  @Test
  void aDeviceOfSomebodyWhoHadLeft() {
    history.begins(4, "cy");
    history.opens(4, 0);
    history.members.add(new Membership("cy", SealedHistory.ROOM, 1, 2));
    sent("1,2,3,4");
    history.is(1, "cy", Entry.DELIVERED);
    gets(4);
    assertThat(history.broken()).containsExactly(DEVICES_OF_ROOM);
  }

  @Test
  void aDeviceThatWasLeftOut() {
    history.begins(4, "cy");
    history.members.add(new Membership("cy", SealedHistory.ROOM, 2, 0));
    sent("1,2,3");
    assertThat(history.broken()).containsExactly(DEVICES_OF_ROOM);
  }

  @Test
  void aDeviceThatBeganOrEndedMeanwhileMayBeLeftOut() {
    history.begins(4, "cy");
    history.members.add(new Membership("cy", SealedHistory.ROOM, 2, 0));
    history.ends(4);
    sent("1,2,3");
    history.begins(5, "cy");
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void anotherTryOfTheSameGoesToOtherDevices() {
    history.sends("a", "1,2", "2");
    history.then(t -> new Entry.Refused(t, "ann-1", "a", "device_mismatch"));
    sent("1,2,3");
    assertThat(history.broken()).isEmpty();
  }

  @Test
  void anEnvelopeThatNamesAnotherMessage() {
    history.sends("a", "1,2,3", "2,3");
    history.acked("a", 1);
    history.keeps(1, "a");
    history.sends("b", "1,2,3", "2,3");
    history.acked("b", 2);
    history.keeps(2, "b");
    history.is(1, "bob", Entry.DELIVERED);
    history.is(2, "bob", Entry.DELIVERED);
    for (long device = 2; device <= 3; device++) {
      history.comes(device, 1, "a", 2, "k");
      history.comes(device, 2, "b", 1, "k");
      history.keeps(device, 2);
      history.acks(device, 2);
    }
    assertThat(history.broken()).containsExactly(ONE_TRUTH);
  }
}
