package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.sas.EstablishedSas;
import de.connect2x.trixnity.vodozemac.sas.Mac;
import de.connect2x.trixnity.vodozemac.sas.Sas;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Two people compare seven emoji, and their devices then know each other's keys from each other
/// and not from the server, as `m.sas.v1` of https://spec.matrix.org/v1.16/client-server-api/ does.
///
/// ```
/// who starts        other
///     start ─────────▶
///           ◀───────── accept   with a hash of the key that it will give
///       key ─────────▶
///           ◀───────── key      bound by the hash: nobody can search for the same emoji
///     both show the emoji, people compare
///       mac ─────────▶          of the keys of device and account
///           ◀───────── mac
/// ```
///
/// Nothing of it is kept: who is killed begins anew. A step out of turn is a doubt, and ends it.
final class EmojiComparison implements AutoCloseable {
  private static final String TRANSACTION = "transaction_id";
  private static final String AGREEMENT = "curve25519-hkdf-sha256";
  private static final String HASH = "sha256";
  private static final String MAC = "hkdf-hmac-sha256.v2";
  private static final String EMOJI = "emoji";
  private static final String METHOD = "m.sas.v1";
  private static final String COMMITMENT = "commitment";
  private static final String KEY_IDS = "KEY_IDS";

  private final Party own;
  private final Party other;
  private final ObjectNode start;
  private final boolean starts;
  private final Sas sas = new Sas();
  private final String ownKey;
  private @Nullable String commitment;
  private @Nullable String otherKey;
  private @Nullable EstablishedSas agreed;

  /// @param master the key of the account
  record Party(DeviceIdentity device, String master) {
    private String account() {
      return OlmNames.of(device.account());
    }

    private String name() {
      return account() + "|" + device.device();
    }

    private Map<String, String> keys() {
      return new TreeMap<>(
          Map.of(
              OlmNames.ed25519(device.device()),
              device.ed25519(),
              OlmNames.ed25519(master),
              master));
    }
  }

  private EmojiComparison(Party own, Party other, ObjectNode start, boolean starts) {
    this.own = own;
    this.other = other;
    this.start = start;
    this.starts = starts;
    try (var key = sas.getPublicKey()) {
      ownKey = key.getBase64();
    }
  }

  /// Begins one; [#start] is for the other.
  static EmojiComparison begin(Party own, Party other, String transaction) {
    ObjectNode start = SealedJson.object();
    start.put("from_device", own.device().device().value());
    start.put("method", METHOD).put(TRANSACTION, transaction);
    start.putArray("key_agreement_protocols").add(AGREEMENT);
    start.putArray("hashes").add(HASH);
    start.putArray("message_authentication_codes").add(MAC);
    start.putArray("short_authentication_string").add(EMOJI);
    return new EmojiComparison(own, other, start, true);
  }

  /// The other began one; [#accept] is for it. Doubts: MALFORMED, OTHER_SENDER.
  static EmojiComparison answer(Party own, Party other, ObjectNode start) {
    SealedJson.expect(start, "from_device", other.device().device().value(), Doubt.OTHER_SENDER);
    SealedJson.expect(start, "method", METHOD, Doubt.MALFORMED);
    SealedJson.text(start, TRANSACTION);
    expectAmong(start, "key_agreement_protocols", AGREEMENT);
    expectAmong(start, "hashes", HASH);
    expectAmong(start, "message_authentication_codes", MAC);
    expectAmong(start, "short_authentication_string", EMOJI);
    return new EmojiComparison(own, other, start, false);
  }

  ObjectNode start() {
    return start.deepCopy();
  }

  ObjectNode accept() {
    ObjectNode accept = transaction();
    accept.put("method", METHOD).put("key_agreement_protocol", AGREEMENT).put("hash", HASH);
    accept.put("message_authentication_code", MAC).put(COMMITMENT, commitment(ownKey));
    accept.putArray("short_authentication_string").add(EMOJI);
    return accept;
  }

  /// The other accepted; [#key] is for it.
  void accepted(ObjectNode accept) {
    expectTransaction(accept);
    SealedJson.expect(accept, "key_agreement_protocol", AGREEMENT, Doubt.MALFORMED);
    SealedJson.expect(accept, "hash", HASH, Doubt.MALFORMED);
    SealedJson.expect(accept, "message_authentication_code", MAC, Doubt.MALFORMED);
    if (!starts || commitment != null) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    commitment = SealedJson.text(accept, COMMITMENT);
  }

  ObjectNode key() {
    if (starts ? commitment == null : otherKey == null) {
      throw new IllegalStateException("Who gives its key too early can be deceived.");
    }
    return transaction().put("key", ownKey);
  }

  /// The key of the other; now both have the emoji. Doubts: MALFORMED, BAD_KEY, BAD_SIGNATURE when
  /// it is not the one that was promised.
  void agree(ObjectNode key) {
    expectTransaction(key);
    String given = SealedJson.text(key, "key");
    if (otherKey != null || (starts && commitment == null)) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    if (starts && !commitment(given).equals(commitment)) {
      throw new Untrusted(Doubt.BAD_SIGNATURE);
    }
    try (var foreign = ForeignKeys.curve25519(given)) {
      agreed = sas.diffieHellman(foreign);
    }
    otherKey = given;
  }

  /// What people compare.
  List<String> emojis() {
    String ownPart = own.name() + "|" + ownKey;
    String otherPart = other.name() + "|" + otherKey;
    String info =
        "MATRIX_KEY_VERIFICATION_SAS|"
            + (starts ? ownPart + "|" + otherPart : otherPart + "|" + ownPart)
            + "|"
            + id();
    List<String> emojis = new ArrayList<>();
    try (var bytes = agreed().generateBytes(info)) {
      bytes.getEmojiIndices().getAsList().forEach(number -> emojis.add(Emojis.of(number)));
    }
    return List.copyOf(emojis);
  }

  /// The person says that they are the same: this tells the other which keys that goes for.
  ObjectNode mac() {
    ObjectNode content = transaction();
    ObjectNode macs = content.putObject("mac");
    own.keys().forEach((name, key) -> macs.put(name, mac(key, name)));
    return content.put("keys", mac(String.join(",", own.keys().keySet()), KEY_IDS));
  }

  /// The other's person says so, too: its keys are those that are known here. Doubts: MALFORMED,
  /// BAD_SIGNATURE.
  void verify(ObjectNode mac) {
    expectTransaction(mac);
    JsonNode macs = SealedJson.object(mac, "mac");
    Map<String, String> keys = other.keys();
    check(String.join(",", keys.keySet()), KEY_IDS, SealedJson.text(mac, "keys"));
    keys.forEach((name, key) -> check(key, name, SealedJson.text(macs, name)));
  }

  @Override
  public void close() {
    sas.close();
    if (agreed != null) {
      agreed.close();
    }
  }

  private String mac(String text, String name) {
    try (Mac mac = agreed().calculateMac(text, info(own, other, name))) {
      return mac.getBase64();
    }
  }

  private void check(String text, String name, String given) {
    String info = info(other, own, name);
    EstablishedSas secret = agreed();
    Vodozemac.read(
        Doubt.BAD_SIGNATURE,
        () -> {
          try (Mac mac = Mac.Companion.invoke(given)) {
            secret.verifyMac(text, info, mac);
            return text;
          }
        });
  }

  private String info(Party from, Party to, String name) {
    return "MATRIX_KEY_VERIFICATION_MAC"
        + from.account()
        + from.device().device()
        + to.account()
        + to.device().device()
        + id()
        + name;
  }

  private EstablishedSas agreed() {
    if (agreed == null) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    return agreed;
  }

  private String commitment(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((key + SealedJson.canonical(start)).getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private String id() {
    return SealedJson.text(start, TRANSACTION);
  }

  private ObjectNode transaction() {
    return SealedJson.object().put(TRANSACTION, id());
  }

  private void expectTransaction(ObjectNode content) {
    SealedJson.expect(content, TRANSACTION, id(), Doubt.MALFORMED);
  }

  private static void expectAmong(ObjectNode start, String field, String name) {
    for (JsonNode one : start.path(field)) {
      if (one.asText().equals(name)) {
        return;
      }
    }
    throw new Untrusted(Doubt.MALFORMED);
  }
}
