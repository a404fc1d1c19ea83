package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;

/// Who an account is for others: a master key, which is what is pinned and compared, and two keys
/// that it signed, for its devices and for other people.
///
/// @param json as it is published
record AccountIdentity(
    AccountId account, String master, String selfSigning, String userSigning, String json) {

  /// What a key of an account may be used for.
  enum Usage {
    MASTER("master"),
    SELF_SIGNING("self_signing"),
    USER_SIGNING("user_signing");

    private final String text;

    Usage(String text) {
      this.text = text;
    }

    String field() {
      return text + "_key";
    }
  }

  /// Reads what is said to be the identity of an account. Doubts: MALFORMED, OTHER_OWNER,
  /// BAD_SIGNATURE.
  static AccountIdentity read(AccountId account, String json) {
    ObjectNode object = SealedJson.foreign(json);
    String master = key(account, object, Usage.MASTER);
    String selfSigning = signedKey(account, object, Usage.SELF_SIGNING, master);
    String userSigning = signedKey(account, object, Usage.USER_SIGNING, master);
    return new AccountIdentity(account, master, selfSigning, userSigning, json);
  }

  /// A key as an account publishes it, still without a signature.
  static ObjectNode unsigned(AccountId account, Usage usage, String ed25519) {
    ObjectNode object = SealedJson.object();
    object.putArray("usage").add(usage.text);
    object.put("user_id", OlmNames.of(account));
    object.putObject("keys").put(OlmNames.ed25519(ed25519), ed25519);
    return object;
  }

  Opaque opaque() {
    return new Opaque(json);
  }

  private static String key(AccountId account, ObjectNode identity, Usage usage) {
    ObjectNode object = SealedJson.object(identity, usage.field());
    SealedJson.expect(object, "user_id", OlmNames.of(account), Doubt.OTHER_OWNER);
    JsonNode usages = object.path("usage");
    ObjectNode keys = SealedJson.object(object, "keys");
    if (usages.size() != 1 || !usages.path(0).asText().equals(usage.text) || keys.size() != 1) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    String name = keys.fieldNames().next();
    String key = SealedJson.text(keys, name);
    if (!name.equals(OlmNames.ed25519(key))) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return key;
  }

  private static String signedKey(
      AccountId account, ObjectNode identity, Usage usage, String master) {
    String key = key(account, identity, usage);
    SignedObject.verify(
        SealedJson.object(identity, usage.field()),
        OlmNames.of(account),
        OlmNames.ed25519(master),
        master);
    return key;
  }
}
