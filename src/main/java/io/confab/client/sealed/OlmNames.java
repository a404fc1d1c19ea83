package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;

/// How accounts and rooms are called inside of what `olm1` signs and encrypts, which follows the
/// formats of Matrix.
final class OlmNames {
  static final String OLM = "m.olm.v1.curve25519-aes-sha2";
  static final String DUMMY = "m.dummy";
  static final String MEGOLM = "m.megolm.v1.aes-sha2";

  private static final String SERVER = ":confab";

  private OlmNames() {}

  static String of(AccountId account) {
    return "@" + account + SERVER;
  }

  static String of(RoomId room) {
    return "!" + room + SERVER;
  }

  /// The room that is called so. Doubt: MALFORMED.
  static RoomId room(String name) {
    try {
      RoomId room = RoomId.parse(name.replaceFirst("^!", "").replaceFirst(SERVER + "$", ""));
      if (of(room).equals(name)) {
        return room;
      }
    } catch (Refusal _) {
      // Told below, as what is another one's name.
    }
    throw new Untrusted(Doubt.MALFORMED);
  }

  static String ed25519(DeviceId device) {
    return ed25519(device.value());
  }

  /// The name of a key in signatures; keys of accounts are called by themselves.
  static String ed25519(String name) {
    return "ed25519:" + name;
  }

  static String curve25519(DeviceId device) {
    return "curve25519:" + device.value();
  }
}
