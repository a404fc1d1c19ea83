package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.connect2x.trixnity.vodozemac.megolm.InboundGroupSession;
import de.connect2x.trixnity.vodozemac.megolm.MegolmMessage;
import de.connect2x.trixnity.vodozemac.megolm.MegolmSessionConfig;
import de.connect2x.trixnity.vodozemac.megolm.SessionKey;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Opaque;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The keys with which other devices encrypt, each for one room and of the device that gave it. A
/// message can be decrypted with one again and again; that it is shown once is seen to by its
/// number, since a device numbers what it encrypts and the queue keeps that order.
final class ReceivedKeys {
  private static final String KEY = "recv/";

  /// As many as a device encrypts with one key.
  private static final int MOST_SKIPPED = 100;

  /// @param last the highest number that came
  /// @param skipped those below it that did not come, as far as they are remembered
  /// @param ts when the server took the key, as it says
  private record Kept(
      String pickle, DeviceIdentity sender, long last, List<Long> skipped, long ts) {}

  /// @param doubt it came before, or others came first that were written later; null: neither
  record Text(ObjectNode event, DeviceIdentity sender, @Nullable Doubt doubt) {}

  /// Keeps the key that a device gave for a room; one that is there stays. Doubts: MALFORMED,
  /// BAD_KEY, OTHER_ROOM.
  ///
  /// @param by the room by which it came; null: by none
  /// @param ts when the server took it, as it says
  void keep(
      Changes changes, @Nullable RoomId by, DeviceIdentity sender, ObjectNode content, long ts) {
    SealedJson.expect(content, "algorithm", OlmNames.MEGOLM, Doubt.MALFORMED);
    RoomId room = OlmNames.room(SealedJson.text(content, "room_id"));
    if (by != null && !by.equals(room)) {
      throw new Untrusted(Doubt.OTHER_ROOM);
    }
    String text = SealedJson.text(content, "session_key");
    Kept made =
        Vodozemac.read(
            Doubt.BAD_KEY,
            () -> {
              try (SessionKey key = SessionKey.Companion.invoke(text);
                  InboundGroupSession session =
                      InboundGroupSession.Companion.invoke(
                          key, MegolmSessionConfig.Companion.v1())) {
                SealedJson.expect(content, "session_id", session.getSessionId(), Doubt.MALFORMED);
                return new Kept(Vodozemac.pickle(session), sender, -1, List.of(), ts);
              }
            });
    String name =
        key(room, sender.account(), sender.device(), SealedJson.text(content, "session_id"));
    if (changes.get(name).isEmpty()) {
      changes.put(name, SealedJson.keep(made));
    }
  }

  /// The keys that are here, the newest first, by names for [#pack].
  List<String> newest(Changes changes) {
    record Found(String key, long ts) {}
    return changes.keys(KEY).stream()
        .flatMap(
            key ->
                changes
                    .get(key)
                    .map(json -> new Found(key, SealedJson.kept(json, Kept.class).ts()))
                    .stream())
        .sorted(Comparator.comparingLong(Found::ts).reversed())
        .map(Found::key)
        .toList();
  }

  /// A key for another device of the account; empty: it is gone.
  Optional<ObjectNode> pack(Changes changes, String name) {
    return changes
        .get(name)
        .map(
            json -> {
              ObjectNode packed = SealedJson.moving(json);
              return packed.put("room", name.substring(KEY.length()).split("/", 2)[0]);
            });
  }

  /// Takes a key from another device of the account; one that is there stays. Doubts: MALFORMED,
  /// BAD_KEY, and those of a [DeviceIdentity].
  void unpack(Changes changes, JsonNode packed) {
    RoomId room = OlmNames.room("!" + SealedJson.text(packed, "room") + ":confab");
    DeviceIdentity told = SealedJson.moved(packed.path("sender"), DeviceIdentity.class);
    DeviceIdentity sender = DeviceIdentity.read(told.account(), told.device(), told.json());
    String pickle = SealedJson.text(packed, "pickle");
    String id =
        Vodozemac.read(
            Doubt.BAD_KEY,
            () -> {
              try (InboundGroupSession session = Vodozemac.receiver(pickle)) {
                return session.getSessionId();
              }
            });
    List<Long> skipped = new ArrayList<>();
    SealedJson.array(packed, "skipped").forEach(number -> skipped.add(number.asLong()));
    String name = key(room, sender.account(), sender.device(), id);
    if (changes.get(name).isEmpty()) {
      Kept kept =
          new Kept(
              pickle,
              sender,
              packed.path("last").asLong(-1),
              List.copyOf(skipped),
              packed.path("ts").asLong());
      changes.put(name, SealedJson.keep(kept));
    }
  }

  /// Decrypts what a device encrypted for a room. Doubts: MALFORMED, UNDECRYPTABLE, OTHER_SENDER,
  /// OTHER_ROOM.
  Text decrypt(Changes changes, RoomId room, AccountId account, DeviceId device, Opaque payload) {
    ObjectNode outer = SealedJson.foreign(payload.value());
    SealedJson.expect(outer, "algorithm", OlmNames.MEGOLM, Doubt.MALFORMED);
    String id = SealedJson.text(outer, "session_id");
    String base64 = SealedJson.text(outer, "ciphertext");
    String name = key(room, account, device, id);
    byte[] json = changes.get(name).orElseThrow(() -> new Untrusted(missing(changes, room, id)));
    Kept kept = SealedJson.kept(json, Kept.class);
    if (!kept.sender().account().equals(account) || !kept.sender().device().equals(device)) {
      throw new Untrusted(Doubt.OTHER_SENDER);
    }
    try (InboundGroupSession session = Vodozemac.receiver(kept.pickle());
        MegolmMessage.Text message =
            Vodozemac.read(Doubt.MALFORMED, () -> MegolmMessage.Text.Companion.invoke(base64))) {
      var opened = Vodozemac.read(Doubt.UNDECRYPTABLE, () -> session.decrypt(message));
      ObjectNode event = SealedJson.foreign(opened.getPlaintext().getValue());
      SealedJson.expect(event, "room_id", OlmNames.of(room), Doubt.OTHER_ROOM);
      long index = Integer.toUnsignedLong(opened.getMessageIndex());
      Doubt doubt = doubt(kept, index);
      changes.put(name, SealedJson.keep(after(kept, index)));
      return new Text(event, kept.sender(), doubt);
    }
  }

  /// The key of another device is no key for what this one is said to have sent.
  private static Doubt missing(Changes changes, RoomId room, String id) {
    return changes.keys(KEY + room + "/").stream().anyMatch(key -> key.endsWith("/" + id))
        ? Doubt.OTHER_SENDER
        : Doubt.UNDECRYPTABLE;
  }

  private static @Nullable Doubt doubt(Kept kept, long index) {
    if (index > kept.last()) {
      return null;
    }
    return kept.skipped().contains(index) ? Doubt.REORDERED : Doubt.REPLAYED;
  }

  private static Kept after(Kept kept, long index) {
    List<Long> skipped = new ArrayList<>(kept.skipped());
    skipped.remove(Long.valueOf(index));
    for (long i = Math.max(kept.last() + 1, index - MOST_SKIPPED); i < index; i++) {
      skipped.add(i);
    }
    int forgotten = Math.max(0, skipped.size() - MOST_SKIPPED);
    return new Kept(
        kept.pickle(),
        kept.sender(),
        Math.max(kept.last(), index),
        List.copyOf(skipped.subList(forgotten, skipped.size())),
        kept.ts());
  }

  private static String key(RoomId room, AccountId account, DeviceId device, String id) {
    return KEY + room + "/" + account + "/" + device.value() + "/" + id;
  }
}
