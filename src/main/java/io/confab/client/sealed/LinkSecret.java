package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/// One device's side of the proof that two devices have the same code, and each the keys of the
/// other that this one sees: a key in between that the server changed gives another proof.
final class LinkSecret {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Cpace side;
  private final boolean starts;

  /// @param id of the link, which the new device chose
  /// @param starts whether this is the new device
  LinkSecret(LinkCode code, String id, DeviceIdentity fresh, DeviceIdentity old, boolean starts) {
    byte[] secret = new byte[Cpace.LENGTH];
    RANDOM.nextBytes(secret);
    side = new Cpace(code.secret(), parties(fresh, old), bytes(id), secret);
    this.starts = starts;
  }

  private static byte[] parties(DeviceIdentity fresh, DeviceIdentity old) {
    ObjectNode both = SealedJson.object();
    both.set("new", party(fresh));
    both.set("old", party(old));
    return bytes(SealedJson.canonical(both));
  }

  private static ObjectNode party(DeviceIdentity device) {
    return SealedJson.object()
        .put("account", OlmNames.of(device.account()))
        .put("device", device.device().value())
        .put("curve25519", device.curve25519())
        .put("ed25519", device.ed25519());
  }

  String share() {
    return Base64.getEncoder().withoutPadding().encodeToString(side.share());
  }

  /// @param fresh what shows that the new device has the code
  /// @param old the same of the old one
  record Proofs(String fresh, String old) {}

  /// What both sides can make once the shares were exchanged. Doubts: MALFORMED, BAD_KEY.
  Proofs proofs(String otherShare) {
    byte[] other;
    try {
      other = Base64.getDecoder().decode(otherShare);
    } catch (IllegalArgumentException _) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    byte[] key = side.key(other, starts);
    return new Proofs(proof(key, "new"), proof(key, "old"));
  }

  static boolean same(String proof, String other) {
    return MessageDigest.isEqual(bytes(proof), bytes(other));
  }

  private static String proof(byte[] key, String side) {
    try {
      byte[] proof =
          KDF.getInstance("HKDF-SHA256")
              .deriveData(
                  HKDFParameterSpec.ofExtract()
                      .addIKM(key)
                      .thenExpand(bytes("confab link " + side), Cpace.LENGTH));
      return Base64.getEncoder().withoutPadding().encodeToString(proof);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
