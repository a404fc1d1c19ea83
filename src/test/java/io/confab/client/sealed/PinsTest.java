package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RegistrationId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinsTest {
  private static final AccountId BOB = new AccountId(18);

  private Path temp;

  private final Pins pins = new Pins();
  private final DeviceLists lists = new DeviceLists(pins);
  private SealedStore store;
  private AccountIdentity bob;
  private DeviceIdentity phone;

  @BeforeEach
  void meetBob(@TempDir Path folder) {
    temp = folder;
    store = SealedStore.open(temp.resolve("own"));
    bob = identity();
    phone = device("phone", true);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void aDeviceThatItsAccountSignedIsBelieved() {
    assertThat(learn(bob, phone)).isEmpty();
    assertThat(doubt(phone)).isNull();
    assertThat(trust()).isEqualTo(Trust.PINNED);
    assertThat(listed()).containsExactly(listed("phone", null));
  }

  @Test
  void aDeviceThatItsAccountDidNotSignIsNot() {
    DeviceIdentity added = device("added", false);
    assertThat(learn(bob, phone, added))
        .containsExactly(new Warning(BOB, new DeviceId("added"), Doubt.UNSIGNED_DEVICE));
    assertThat(doubt(added)).isEqualTo(Doubt.UNSIGNED_DEVICE);
    assertThat(doubt(phone)).isNull();
    assertThat(listed()).contains(listed("added", Doubt.UNSIGNED_DEVICE));
  }

  @Test
  void anAccountWithoutAnIdentityHasNoDeviceThatIsBelieved() {
    assertThat(learn(null, phone))
        .containsExactly(new Warning(BOB, new DeviceId("phone"), Doubt.UNSIGNED_DEVICE));
    assertThat(trust()).isEqualTo(Trust.NONE);
    assertThat(learn(bob, phone)).isEmpty();
    assertThat(doubt(phone)).isNull();
  }

  @Test
  void anotherIdentityWaitsForTheWordOfThePerson() {
    learn(bob, phone);
    store.transact(changes -> pins.verified(changes, BOB, bob.master()));
    assertThat(trust()).isEqualTo(Trust.VERIFIED);
    AccountIdentity first = bob;
    bob = identity();
    DeviceIdentity foreign = device("foreign", true);
    assertThat(learn(bob, foreign)).contains(new Warning(BOB, null, Doubt.CHANGED_IDENTITY));
    assertThat(trust()).isEqualTo(Trust.CHANGED);
    assertThat(doubt(foreign)).isEqualTo(Doubt.CHANGED_IDENTITY);
    assertThat(doubt(phone)).isEqualTo(Doubt.CHANGED_IDENTITY);
    Optional<AccountIdentity> pinned = store.transact(changes -> pins.identity(changes, BOB));
    assertThat(pinned).hasValue(first);
    store.change(
        changes -> {
          pins.accept(changes, BOB);
        });
    assertThat(trust()).isEqualTo(Trust.PINNED);
    assertThat(doubt(foreign)).isNull();
    assertThat(doubt(phone)).isEqualTo(Doubt.UNSIGNED_DEVICE);
  }

  @Test
  void anIdentityThatComesBackNeedsNoWord() {
    learn(bob, phone);
    AccountIdentity first = bob;
    learn(identity(), phone);
    assertThat(trust()).isEqualTo(Trust.CHANGED);
    assertThat(learn(first, phone)).isEmpty();
    assertThat(trust()).isEqualTo(Trust.PINNED);
    assertThat(doubt(phone)).isNull();
  }

  @Test
  void aDeviceKeepsItsKeysForEver() {
    learn(bob, phone);
    DeviceIdentity other = device("phone", true);
    assertThat(learn(bob, other))
        .contains(new Warning(BOB, new DeviceId("phone"), Doubt.CHANGED_DEVICE));
    assertThat(doubt(other)).isEqualTo(Doubt.CHANGED_DEVICE);
    assertThat(listed()).containsExactly(listed("phone", Doubt.CHANGED_DEVICE));
  }

  @Test
  void aSignatureThatIsLeftOutLaterStays() {
    DeviceIdentity plain = DeviceIdentity.read(BOB, phone.device(), stripped(phone, bob));
    learn(bob, phone);
    assertThat(learn(bob, plain)).isEmpty();
    assertThat(doubt(plain)).isNull();
  }

  @Test
  void theKeysOfADeviceThatIsNotListedAnyMoreStay() {
    DeviceIdentity laptop = device("laptop", true);
    learn(bob, phone, laptop);
    learn(bob, phone);
    assertThat(listed()).containsExactly(listed("phone", null));
    assertThat(doubt(laptop)).isNull();
  }

  @Test
  void rubbishOfOneDeviceKeepsNobodyElseOut() {
    List<Warning> warnings =
        store.transact(
            changes ->
                lists.learn(
                    changes,
                    new KnownAccount(
                        BOB,
                        bob.opaque(),
                        List.of(
                            new KnownDevice(
                                new DeviceId("x"), new RegistrationId(1), new Opaque("rubbish")),
                            known(phone)))));
    assertThat(warnings).containsExactly(new Warning(BOB, new DeviceId("x"), Doubt.MALFORMED));
    assertThat(listed()).extracting(ListedDevice::doubt).containsExactly(Doubt.MALFORMED, null);
  }

  @Test
  void anAccountThatTheServerDoesNotAnswerForHasNoDevices() {
    learn(bob, phone);
    store.change(changes -> lists.absent(changes, BOB));
    assertThat(listed()).isEmpty();
    assertThat(trust()).isEqualTo(Trust.PINNED);
  }

  @Test
  void keysThatWereComparedWithAnotherIdentityVerifyNothing() {
    learn(bob, phone);
    String other = identity().master();
    boolean verified = store.transact(changes -> pins.verified(changes, BOB, other));
    assertThat(verified).isFalse();
    assertThat(trust()).isEqualTo(Trust.PINNED);
  }

  private List<Warning> learn(@Nullable AccountIdentity identity, DeviceIdentity... devices) {
    return store.transact(
        changes ->
            lists.learn(
                changes,
                new KnownAccount(
                    BOB,
                    identity == null ? null : identity.opaque(),
                    Stream.of(devices).map(PinsTest::known).toList())));
  }

  private static KnownDevice known(DeviceIdentity device) {
    return new KnownDevice(device.device(), new RegistrationId(7), device.opaque());
  }

  private @Nullable Doubt doubt(DeviceIdentity device) {
    return store.transact(changes -> pins.doubt(changes, device)).orElse(null);
  }

  private Trust trust() {
    return store.transact(changes -> pins.trust(changes, BOB));
  }

  private List<ListedDevice> listed() {
    return store.transact(changes -> lists.of(changes, BOB));
  }

  private static ListedDevice listed(String name, @Nullable Doubt doubt) {
    return new ListedDevice(new RoomDevice(BOB, new DeviceId(name), new RegistrationId(7)), doubt);
  }

  /// A new identity of Bob, which [#device] signs with from then on.
  private AccountIdentity identity() {
    try (SealedStore his = SealedStore.open(temp.resolve("bob"))) {
      return his.transact(new OwnIdentity(BOB)::create);
    }
  }

  private DeviceIdentity device(String name, boolean signed) {
    DeviceAccount device = new DeviceAccount(BOB, new DeviceId(name));
    try (SealedStore his = SealedStore.open(temp.resolve("bob"))) {
      return his.transact(
          changes -> {
            changes.remove("device");
            DeviceIdentity made = device.open(changes);
            return signed ? new OwnIdentity(BOB).sign(changes, made).orElseThrow() : made;
          });
    }
  }

  private static String stripped(DeviceIdentity device, AccountIdentity signer) {
    ObjectNode json = SealedJson.foreign(device.json());
    ((ObjectNode) json.get("signatures").get(OlmNames.of(BOB)))
        .remove(OlmNames.ed25519(signer.selfSigning()));
    return SealedJson.write(json);
  }
}
