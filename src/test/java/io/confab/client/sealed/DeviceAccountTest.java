package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceAccountTest {
  private static final AccountId ALICE = new AccountId(17);
  private static final AccountId BOB = new AccountId(18);
  private static final DeviceId PHONE = new DeviceId("phone");

  private Path temp;

  private final DeviceAccount device = new DeviceAccount(ALICE, PHONE);
  private SealedStore store;

  @BeforeEach
  void openStore(@TempDir Path folder) {
    temp = folder;
    store = SealedStore.open(temp);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void aDeviceIsTheSameAfterOpeningAnew() {
    DeviceIdentity made = store.transact(device::open);
    store.close();
    store = SealedStore.open(temp);
    assertThat(store.transact(device::open)).isEqualTo(made);
  }

  @Test
  void fiftyOneTimeKeysAndAFallbackArePublishedEachSigned() {
    DeviceIdentity identity = store.transact(device::open);
    Publication first = store.transact(changes -> device.publication(changes, 0));
    assertThat(first.identity().value()).isEqualTo(identity.json());
    assertThat(first.oneTimeKeys()).hasSize(50).extracting(PublicKey::id).doesNotHaveDuplicates();
    for (PublicKey key : first.oneTimeKeys()) {
      verify(identity, key);
    }
    PublicKey fallback = first.fallback().orElseThrow();
    verify(identity, fallback);
    assertThat(SealedJson.foreign(fallback.key().value()).get("fallback").asBoolean()).isTrue();
  }

  @Test
  void untilItIsSaidThatTheyArePublishedTheSameKeysArePublishedAgain() {
    store.transact(device::open);
    Publication first = store.transact(changes -> device.publication(changes, 0));
    Publication again = store.transact(changes -> device.publication(changes, 0));
    assertThat(ids(again)).isEqualTo(ids(first));
    store.change(
        changes -> {
          device.published(changes);
        });
    Publication nothing = store.transact(changes -> device.publication(changes, 50));
    assertThat(nothing.oneTimeKeys()).isEmpty();
    assertThat(nothing.fallback()).isEmpty();
    Publication more = store.transact(changes -> device.publication(changes, 19));
    assertThat(more.oneTimeKeys()).hasSize(31);
    assertThat(ids(more)).doesNotContainAnyElementsOf(ids(first));
  }

  @Test
  void aFallbackThatWasHandedOutIsFollowedByAnother() {
    store.transact(device::open);
    PublicKey first =
        store.transact(changes -> device.publication(changes, 0)).fallback().orElseThrow();
    store.change(
        changes -> {
          device.published(changes);
          device.renewFallback(changes);
        });
    PublicKey second =
        store.transact(changes -> device.publication(changes, 50)).fallback().orElseThrow();
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void anIdentityThatWasChangedAnywhereIsNotBelieved() {
    String json = store.transact(device::open).json();
    assertDoubt(Doubt.OTHER_OWNER, () -> DeviceIdentity.read(BOB, PHONE, json));
    assertDoubt(Doubt.OTHER_OWNER, () -> DeviceIdentity.read(ALICE, new DeviceId("laptop"), json));
    assertDoubt(Doubt.MALFORMED, () -> DeviceIdentity.read(ALICE, PHONE, "[]"));
    assertDoubt(
        Doubt.BAD_SIGNATURE,
        () -> DeviceIdentity.read(ALICE, PHONE, changed(json, o -> o.put("more", 1))));
    assertDoubt(
        Doubt.BAD_SIGNATURE,
        () -> DeviceIdentity.read(ALICE, PHONE, changed(json, o -> o.remove("signatures"))));
    assertDoubt(
        Doubt.BAD_KEY,
        () ->
            DeviceIdentity.read(
                ALICE,
                PHONE,
                changed(
                    json,
                    o -> ((ObjectNode) o.get("keys")).put("curve25519:phone", "A".repeat(43)))));
  }

  @Test
  void theIdentityOfTheAccountSignsItsDevices() {
    OwnIdentity own = new OwnIdentity(ALICE);
    DeviceIdentity plain = store.transact(device::open);
    AccountIdentity identity = store.transact(own::create);
    assertThat(store.transact(own::identity)).hasValue(identity);
    assertThat(plain.isSignedBy(identity)).isFalse();
    DeviceIdentity signed = store.transact(changes -> own.sign(changes, plain)).orElseThrow();
    assertThat(signed.isSignedBy(identity)).isTrue();
    assertThat(signed.hasKeysOf(plain)).isTrue();
    store.change(
        changes -> {
          device.signed(changes, signed);
        });
    assertThat(store.transact(changes -> device.publication(changes, 0)).identity().value())
        .isEqualTo(signed.json());
    AccountIdentity other = store.transact(own::create);
    assertThat(signed.isSignedBy(other)).isFalse();
  }

  @Test
  void anIdentityOfAnAccountIsReadOnlyAsItsMasterKeySignedIt() {
    AccountIdentity identity = store.transact(new OwnIdentity(ALICE)::create);
    AccountIdentity other = store.transact(new OwnIdentity(ALICE)::create);
    assertThat(AccountIdentity.read(ALICE, identity.json())).isEqualTo(identity);
    assertDoubt(Doubt.OTHER_OWNER, () -> AccountIdentity.read(BOB, identity.json()));
    ObjectNode foreign = SealedJson.foreign(other.json());
    for (String part : List.of("master_key", "self_signing_key", "user_signing_key")) {
      assertDoubt(
          Doubt.BAD_SIGNATURE,
          () ->
              AccountIdentity.read(
                  ALICE, changed(identity.json(), o -> o.set(part, foreign.get(part)))));
    }
    assertDoubt(
        Doubt.MALFORMED,
        () ->
            AccountIdentity.read(
                ALICE,
                changed(
                    identity.json(), o -> o.set("self_signing_key", o.get("user_signing_key")))));
  }

  private static void verify(DeviceIdentity identity, PublicKey key) {
    SignedObject.verify(
        SealedJson.foreign(key.key().value()),
        OlmNames.of(ALICE),
        OlmNames.ed25519(PHONE),
        identity.ed25519());
  }

  private static List<String> ids(Publication publication) {
    return publication.oneTimeKeys().stream().map(PublicKey::id).sorted().toList();
  }

  private static String changed(String json, Consumer<ObjectNode> change) {
    ObjectNode object = SealedJson.foreign(json);
    change.accept(object);
    return SealedJson.write(object);
  }

  private static void assertDoubt(Doubt doubt, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            Untrusted.class, untrusted -> assertThat(untrusted.doubt()).isEqualTo(doubt));
  }
}
