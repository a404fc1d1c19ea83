package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.Curve25519PublicKey;
import de.connect2x.trixnity.vodozemac.olm.Account;
import de.connect2x.trixnity.vodozemac.olm.OlmMessage;
import de.connect2x.trixnity.vodozemac.olm.OlmSessionConfig;
import de.connect2x.trixnity.vodozemac.olm.Session;
import io.confab.protocol.AccountId;
import io.confab.protocol.Opaque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The sessions of the own device with single other ones. They carry keys and nothing else that a
/// person would miss, since what was opened once is never opened again.
///
/// Two devices may begin at the same moment, and one may have lost its state, so there are several
/// with one device: the first of them is used, the one in which something came last.
final class OlmSessions {
  private static final String KEY = "olm/";
  private static final int MOST = 5;
  private static final int PRE_KEY = 0;
  private static final int NORMAL = 1;

  private final DeviceAccount own;

  OlmSessions(DeviceAccount own) {
    this.own = own;
  }

  private record Kept(List<String> pickles) {}

  /// What came from a device, and who it says that it is.
  record Letter(String type, ObjectNode content, ObjectNode whole, String senderKey) {}

  boolean has(Changes changes, DeviceIdentity device) {
    return !pickles(changes, device.curve25519()).isEmpty();
  }

  /// Begins a session with a device by one of its one-time keys or its fallback key. Doubts:
  /// MALFORMED, BAD_SIGNATURE, BAD_KEY.
  void begin(Changes changes, DeviceIdentity device, Opaque oneTimeKey) {
    ObjectNode signed = SealedJson.foreign(oneTimeKey.value());
    SignedObject.verify(
        signed, OlmNames.of(device.account()), OlmNames.ed25519(device.device()), device.ed25519());
    String key = SealedJson.text(signed, "key");
    String pickle =
        own.use(
            changes,
            account -> {
              try (Curve25519PublicKey identity = ForeignKeys.curve25519(device.curve25519());
                  Curve25519PublicKey oneTime = ForeignKeys.curve25519(key);
                  Session session =
                      account.createOutboundSession(
                          identity, oneTime, OlmSessionConfig.Companion.v1())) {
                return Vodozemac.pickle(session);
              }
            });
    putFirst(changes, device.curve25519(), pickle, pickles(changes, device.curve25519()));
  }

  /// Forgets the sessions with a device, so that the next thing that is sealed for it begins one.
  void forget(Changes changes, String curve25519) {
    changes.remove(KEY + curve25519);
  }

  /// Encrypts for one device, with which there is a session.
  Opaque encrypt(Changes changes, DeviceIdentity to, String type, ObjectNode content) {
    DeviceIdentity from = own.identity(changes);
    ObjectNode plain = SealedJson.object().put("type", type);
    plain.set("content", content);
    plain.put("sender", OlmNames.of(from.account()));
    plain.put("recipient", OlmNames.of(to.account()));
    plain.putObject("recipient_keys").put("ed25519", to.ed25519());
    plain.putObject("keys").put("ed25519", from.ed25519());
    plain.set("sender_device_keys", SealedJson.foreign(from.json()));
    List<String> pickles = pickles(changes, to.curve25519());
    try (Session session = Vodozemac.session(pickles.getFirst())) {
      OlmMessage.Text message = session.encrypt(SealedJson.write(plain));
      putFirst(
          changes, to.curve25519(), Vodozemac.pickle(session), pickles.subList(1, pickles.size()));
      ObjectNode body = SealedJson.object().put("algorithm", OlmNames.OLM);
      body.put("sender_key", from.curve25519());
      body.putObject("ciphertext")
          .putObject(to.curve25519())
          .put("type", message instanceof OlmMessage.PreKey ? PRE_KEY : NORMAL)
          .put("body", message.getBase64());
      return new Opaque(SealedJson.write(body));
    }
  }

  /// Decrypts what one device encrypted for this one. The step of the ratchet is taken, whatever
  /// is then found wrong with what it says. Doubts: MALFORMED, BAD_KEY, UNDECRYPTABLE,
  /// OTHER_SENDER, OTHER_RECIPIENT.
  Letter decrypt(Changes changes, AccountId from, Opaque body) {
    DeviceIdentity me = own.identity(changes);
    ObjectNode outer = SealedJson.foreign(body.value());
    SealedJson.expect(outer, "algorithm", OlmNames.OLM, Doubt.MALFORMED);
    String senderKey = SealedJson.text(outer, "sender_key");
    ForeignKeys.curve25519(senderKey).close();
    ObjectNode texts = SealedJson.object(outer, "ciphertext");
    if (!texts.has(me.curve25519())) {
      throw new Untrusted(Doubt.OTHER_RECIPIENT);
    }
    ObjectNode text = SealedJson.object(texts, me.curve25519());
    int kind = text.path("type").asInt(-1);
    String base64 = SealedJson.text(text, "body");
    String plain =
        switch (kind) {
          case PRE_KEY -> first(changes, senderKey, base64);
          case NORMAL -> next(changes, senderKey, base64);
          default -> throw new Untrusted(Doubt.MALFORMED);
        };
    ObjectNode inner = SealedJson.foreign(plain);
    SealedJson.expect(inner, "sender", OlmNames.of(from), Doubt.OTHER_SENDER);
    SealedJson.expect(inner, "recipient", OlmNames.of(me.account()), Doubt.OTHER_RECIPIENT);
    SealedJson.expect(
        SealedJson.object(inner, "recipient_keys"), "ed25519", me.ed25519(), Doubt.OTHER_RECIPIENT);
    return new Letter(
        SealedJson.text(inner, "type"), SealedJson.object(inner, "content"), inner, senderKey);
  }

  /// A message that could begin a session, or belongs to one that it began already.
  private String first(Changes changes, String senderKey, String base64) {
    OlmMessage.PreKey.Text message =
        Vodozemac.read(Doubt.MALFORMED, () -> OlmMessage.PreKey.Text.Companion.invoke(base64));
    try (var outer = message.getSessionKeys();
        var identity = outer.getIdentityKey();
        var base = outer.getBaseKey();
        var inner = message.getMessage();
        var ratchet = inner.getRatchetKey()) {
      ForeignKeys.check(base);
      ForeignKeys.check(ratchet);
      if (!identity.getBase64().equals(senderKey)) {
        throw new Untrusted(Doubt.OTHER_SENDER);
      }
      String id = outer.getSessionId();
      List<String> pickles = pickles(changes, senderKey);
      for (int i = 0; i < pickles.size(); i++) {
        try (Session session = Vodozemac.session(pickles.get(i))) {
          if (session.getSessionId().equals(id)) {
            String plain = Vodozemac.read(Doubt.UNDECRYPTABLE, () -> session.decrypt(message));
            moveFirst(changes, senderKey, pickles, i, Vodozemac.pickle(session));
            return plain;
          }
        }
      }
      return own.use(changes, account -> begun(changes, account, message, identity));
    }
  }

  private static String begun(
      Changes changes,
      Account account,
      OlmMessage.PreKey.Text message,
      Curve25519PublicKey identity) {
    var result =
        Vodozemac.read(Doubt.UNDECRYPTABLE, () -> account.createInboundSession(message, identity));
    String senderKey = identity.getBase64();
    try (Session session = result.getSession()) {
      putFirst(changes, senderKey, Vodozemac.pickle(session), pickles(changes, senderKey));
      return result.getPlaintext().getValue();
    }
  }

  private static String next(Changes changes, String senderKey, String base64) {
    OlmMessage.Normal.Text message =
        Vodozemac.read(Doubt.MALFORMED, () -> OlmMessage.Normal.Text.Companion.invoke(base64));
    try (var inner = message.getMessage();
        var ratchet = inner.getRatchetKey()) {
      ForeignKeys.check(ratchet);
      List<String> pickles = pickles(changes, senderKey);
      for (int i = 0; i < pickles.size(); i++) {
        try (Session session = Vodozemac.session(pickles.get(i))) {
          Optional<String> plain = decrypted(session, message);
          if (plain.isPresent()) {
            moveFirst(changes, senderKey, pickles, i, Vodozemac.pickle(session));
            return plain.get();
          }
        }
      }
    }
    throw new Untrusted(Doubt.UNDECRYPTABLE);
  }

  private static Optional<String> decrypted(Session session, OlmMessage.Normal.Text message) {
    try {
      return Optional.of(Vodozemac.read(Doubt.UNDECRYPTABLE, () -> session.decrypt(message)));
    } catch (Untrusted _) {
      return Optional.empty();
    }
  }

  private static void moveFirst(
      Changes changes, String senderKey, List<String> pickles, int index, String pickle) {
    List<String> others = new ArrayList<>(pickles);
    others.remove(index);
    putFirst(changes, senderKey, pickle, others);
  }

  private static void putFirst(
      Changes changes, String curve25519, String pickle, List<String> others) {
    List<String> all = new ArrayList<>();
    all.add(pickle);
    all.addAll(others.subList(0, Math.min(others.size(), MOST - 1)));
    changes.put(KEY + curve25519, SealedJson.keep(new Kept(all)));
  }

  private static List<String> pickles(Changes changes, String curve25519) {
    return changes
        .get(KEY + curve25519)
        .map(json -> SealedJson.kept(json, Kept.class).pickles())
        .orElse(List.of());
  }
}
