package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What an account keeps at the server for its own devices, readable by its recovery key alone.
///
/// An object whose head is in the clear and authenticated: version, account, the master key of the
/// identity, when it was made, a salt, and a check by which another key is told from damage. The
/// key is HKDF-SHA-256 (RFC 5869) of the recovery key, which has enough bits for that, and the
/// cipher ChaCha20-Poly1305 (RFC 8439). The salt is another one each time and so is the key, which
/// therefore needs no nonce.
final class Vault {
  /// As the server takes no more.
  static final int MOST = 65_536;

  private static final int VERSION = 1;
  private static final int SALT = 16;
  private static final int CHECK = 8;
  private static final int KEY = 32;
  private static final byte[] NO_NONCE = new byte[12];
  private static final String SEALED = "sealed";
  private static final String MADE_AT = "made_at";
  private static final String IDENTITY = "identity";
  private static final SecureRandom RANDOM = new SecureRandom();

  private Vault() {}

  /// It cannot be opened; expected, so it has no stack.
  static final class Closed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Recovered why;

    Closed(Recovered why) {
      super(why.name(), null, false, false);
      this.why = why;
    }

    Recovered why() {
      return why;
    }
  }

  static Opaque seal(AccountIdentity identity, RecoveryKey key, ObjectNode content, Instant now) {
    byte[] salt = new byte[SALT];
    RANDOM.nextBytes(salt);
    ObjectNode vault = SealedJson.object().put("version", VERSION);
    vault.put("account", OlmNames.of(identity.account())).put(IDENTITY, identity.master());
    vault.put(MADE_AT, now.toEpochMilli());
    vault.put("salt", text(salt)).put("check", text(derived(key, salt, "check", CHECK)));
    try {
      byte[] plain = SealedJson.write(content).getBytes(StandardCharsets.UTF_8);
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, salt, vault).doFinal(plain);
      return new Opaque(SealedJson.write(vault.put(SEALED, text(sealed))));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What is in it. Fails as [Closed].
  static ObjectNode open(AccountId account, RecoveryKey key, Opaque text) {
    ObjectNode vault = head(text).orElseThrow(() -> new Closed(Recovered.DAMAGED));
    if (vault.path("version").asInt() != VERSION) {
      throw new Closed(Recovered.OTHER_VERSION);
    }
    if (!vault.path("account").asText().equals(OlmNames.of(account))) {
      throw new Closed(Recovered.OTHER_ACCOUNT);
    }
    byte[] salt = bytes(vault, "salt");
    byte[] check = bytes(vault, "check");
    if (!MessageDigest.isEqual(check, derived(key, salt, "check", CHECK))) {
      throw new Closed(Recovered.WRONG_KEY);
    }
    try {
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, key, salt, vault.deepCopy().without(Set.of(SEALED)))
              .doFinal(bytes(vault, SEALED));
      return SealedJson.foreign(new String(plain, StandardCharsets.UTF_8));
    } catch (AEADBadTagException | Untrusted _) {
      throw new Closed(Recovered.DAMAGED);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// When it was made, as it says in the clear; empty: it does not say so.
  static Optional<Instant> madeAt(Opaque text) {
    return label(text, MADE_AT)
        .filter(made -> made.canConvertToLong() && made.longValue() > 0)
        .map(made -> Instant.ofEpochMilli(made.longValue()));
  }

  /// The master key of the identity that is in it, as it says in the clear; empty: it does not say
  /// so.
  static Optional<String> master(Opaque text) {
    return label(text, IDENTITY).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  private static Optional<JsonNode> label(Opaque text, String field) {
    return text.value().length() > MOST
        ? Optional.empty()
        : head(text).map(vault -> vault.path(field));
  }

  private static Optional<ObjectNode> head(Opaque text) {
    if (text.value().length() > MOST) {
      throw new Closed(Recovered.TOO_LARGE);
    }
    try {
      return Optional.of(SealedJson.foreign(text.value()));
    } catch (Untrusted _) {
      return Optional.empty();
    }
  }

  private static Cipher cipher(int mode, RecoveryKey key, byte[] salt, ObjectNode head)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("ChaCha20-Poly1305");
    cipher.init(
        mode,
        new SecretKeySpec(derived(key, salt, "key", KEY), "ChaCha20"),
        new IvParameterSpec(NO_NONCE));
    cipher.updateAAD(SealedJson.canonical(head).getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  private static byte[] derived(RecoveryKey key, byte[] salt, String what, int length) {
    byte[] info = ("confab vault " + VERSION + " " + what).getBytes(StandardCharsets.US_ASCII);
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract()
                  .addIKM(key.secret())
                  .addSalt(salt)
                  .thenExpand(info, length));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] bytes(ObjectNode vault, String field) {
    try {
      return Base64.getDecoder().decode(SealedJson.text(vault, field));
    } catch (IllegalArgumentException | Untrusted _) {
      throw new Closed(Recovered.DAMAGED);
    }
  }
}
