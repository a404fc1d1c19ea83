package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;

/// Who a device is for others: its two public keys, signed by itself, and by the identity of its
/// account once that has done so.
///
/// @param curve25519 with which others make sessions
/// @param ed25519 with which it signs
/// @param json as it is published
record DeviceIdentity(
    AccountId account, DeviceId device, String curve25519, String ed25519, String json) {

  /// Reads what is said to be the identity of a device. Doubts: MALFORMED, OTHER_OWNER, BAD_KEY,
  /// BAD_SIGNATURE.
  static DeviceIdentity read(AccountId account, DeviceId device, String json) {
    ObjectNode object = SealedJson.foreign(json);
    SealedJson.expect(object, "user_id", OlmNames.of(account), Doubt.OTHER_OWNER);
    SealedJson.expect(object, "device_id", device.value(), Doubt.OTHER_OWNER);
    ObjectNode keys = SealedJson.object(object, "keys");
    String curve25519 = SealedJson.text(keys, OlmNames.curve25519(device));
    String ed25519 = SealedJson.text(keys, OlmNames.ed25519(device));
    ForeignKeys.curve25519(curve25519).close();
    SignedObject.verify(object, OlmNames.of(account), OlmNames.ed25519(device), ed25519);
    return new DeviceIdentity(account, device, curve25519, ed25519, json);
  }

  /// What a device says of itself, still without a signature.
  static ObjectNode unsigned(
      AccountId account, DeviceId device, String curve25519, String ed25519) {
    ObjectNode object = SealedJson.object();
    object.putArray("algorithms").add(OlmNames.OLM).add(OlmNames.MEGOLM);
    object.put("device_id", device.value()).put("user_id", OlmNames.of(account));
    object
        .putObject("keys")
        .put(OlmNames.curve25519(device), curve25519)
        .put(OlmNames.ed25519(device), ed25519);
    return object;
  }

  boolean isSignedBy(AccountIdentity identity) {
    try {
      SignedObject.verify(
          SealedJson.foreign(json),
          OlmNames.of(account),
          OlmNames.ed25519(identity.selfSigning()),
          identity.selfSigning());
      return identity.account().equals(account);
    } catch (Untrusted _) {
      return false;
    }
  }

  boolean is(AccountId otherAccount, DeviceId otherDevice) {
    return account.equals(otherAccount) && device.equals(otherDevice);
  }

  boolean hasKeysOf(DeviceIdentity other) {
    return curve25519.equals(other.curve25519) && ed25519.equals(other.ed25519);
  }

  Opaque opaque() {
    return new Opaque(json);
  }
}
