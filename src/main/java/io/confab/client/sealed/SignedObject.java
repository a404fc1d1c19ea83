package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.Ed25519PublicKey;
import de.connect2x.trixnity.vodozemac.Ed25519Signature;
import java.util.Set;
import java.util.function.UnaryOperator;

/// An object that carries its signatures, each of the rest of it
/// (https://spec.matrix.org/v1.16/appendices/#signing-json).
final class SignedObject {
  private static final String SIGNATURES = "signatures";

  private SignedObject() {}

  /// Adds a signature.
  ///
  /// @param signer makes the signature of a text
  static void sign(ObjectNode object, String owner, String keyName, UnaryOperator<String> signer) {
    String signature = signer.apply(signed(object));
    object.withObjectProperty(SIGNATURES).withObjectProperty(owner).put(keyName, signature);
  }

  /// Doubt: BAD_SIGNATURE when it is missing or another one.
  static void verify(ObjectNode object, String owner, String keyName, String ed25519) {
    String signature = object.path(SIGNATURES).path(owner).path(keyName).asText();
    String text = signed(object);
    Vodozemac.read(
        Doubt.BAD_SIGNATURE,
        () -> {
          try (var key = Ed25519PublicKey.Companion.invoke(ed25519);
              var given = Ed25519Signature.Companion.invoke(signature)) {
            key.verify(text, given);
            return text;
          }
        });
  }

  private static String signed(ObjectNode object) {
    return SealedJson.canonical(object.deepCopy().without(Set.of(SIGNATURES, "unsigned")));
  }
}
