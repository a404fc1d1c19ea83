package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// What comes to a new device from the old one that proved to have its code, in pieces that are
/// counted: one that is missing ends it, and what is there twice is taken once. How far it has come
/// is kept with what came, so it goes on after the program ended, and at the end until the server
/// has the word that all came.
final class Unpacking {
  private static final String KEY = "link";
  private static final String PART = "link-part";
  private static final String BELONGINGS = "belongings";

  /// No parcel is larger.
  private static final int MOST_PARCEL = 256 << 10;

  private final Belongings belongings;
  private final ReceivedKeys keys;
  private final Lines lines;

  Unpacking(Belongings belongings, ReceivedKeys keys, Lines lines) {
    this.belongings = belongings;
    this.keys = keys;
    this.lines = lines;
  }

  /// @param old the device that proved to have the code
  /// @param next the number of the piece that is to come
  /// @param taken how many lines came
  /// @param joins whether this device has the identity by it
  /// @param done whether all came
  record Kept(String id, DeviceIdentity old, int next, long taken, boolean joins, boolean done) {}

  /// What came of a piece.
  ///
  /// @param joined whether this device has the identity by it
  /// @param done whether it was the last
  record Progress(int next, boolean whole, boolean joined, boolean done, long lines, long all) {}

  /// Pieces of this link are taken from here on, and of no other.
  void expect(Changes changes, String id, DeviceIdentity old) {
    put(changes, new Kept(id, old, 0, 0, false, false), new byte[0]);
  }

  void forget(Changes changes) {
    if (changes.get(KEY).isPresent()) {
      changes.remove(KEY);
      changes.remove(PART);
    }
  }

  /// What is expected, or was the last and is to be said; empty: nothing.
  Optional<Kept> expected(Changes changes) {
    return changes.get(KEY).map(json -> SealedJson.kept(json, Kept.class));
  }

  /// The server has the word that all came.
  void told(Changes changes) {
    if (expected(changes).filter(Kept::done).isPresent()) {
      forget(changes);
    }
  }

  /// Whether what is expected is of this link and this device.
  boolean isOf(Changes changes, DeviceIdentity from, String id) {
    return expected(changes).filter(kept -> isOf(kept, from, id)).isPresent();
  }

  private static boolean isOf(Kept kept, DeviceIdentity from, String id) {
    return !kept.done()
        && kept.old().is(from.account(), from.device())
        && kept.old().hasKeysOf(from)
        && kept.id().equals(id);
  }

  /// Takes a piece; empty: it is none of the link that is expected, or came before. Doubts:
  /// MALFORMED, REORDERED where one before it is missing, and those of what is in it.
  ///
  /// @param from the device of which it is
  Optional<Progress> take(Changes changes, DeviceIdentity from, ObjectNode piece) {
    String id = SealedJson.text(piece, "id");
    Optional<Kept> expected = expected(changes).filter(kept -> isOf(kept, from, id));
    if (expected.isEmpty()) {
      return Optional.empty();
    }
    Kept kept = expected.get();
    int number = piece.path("n").asInt(-1);
    if (number < 0 || number > kept.next()) {
      throw new Untrusted(number < 0 ? Doubt.MALFORMED : Doubt.REORDERED);
    }
    if (number < kept.next()) {
      return Optional.empty();
    }
    if (piece.path("end").asBoolean()) {
      Kept all = new Kept(id, kept.old(), number, kept.taken(), kept.joins(), true);
      put(changes, all, new byte[0]);
      return Optional.of(
          new Progress(number, true, false, true, kept.taken(), piece.path("lines").asLong()));
    }
    return Optional.of(part(changes, kept, piece));
  }

  private Progress part(Changes changes, Kept kept, ObjectNode piece) {
    byte[] before = changes.get(PART).orElse(new byte[0]);
    byte[] data = data(piece);
    byte[] all = Arrays.copyOf(before, before.length + data.length);
    System.arraycopy(data, 0, all, before.length, data.length);
    boolean whole = piece.path("last").asBoolean();
    long taken = kept.taken();
    boolean joins = kept.joins();
    boolean joined = false;
    if (whole) {
      JsonNode parcel = inflated(all);
      joined = parcel.has(BELONGINGS);
      joins |= joined && !belongings.has(changes);
      taken += unpack(changes, parcel, joins);
      all = new byte[0];
    } else if (all.length > MOST_PARCEL) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    put(changes, new Kept(kept.id(), kept.old(), kept.next() + 1, taken, joins, false), all);
    return new Progress(kept.next() + 1, whole, joined, false, taken, piece.path("all").asLong());
  }

  /// Who had the identity before keeps what it knows of people.
  private long unpack(Changes changes, JsonNode parcel, boolean joins) {
    if (parcel.has(BELONGINGS) && joins) {
      belongings.unpack(changes, SealedJson.object(parcel, BELONGINGS));
    }
    if (parcel.has("more") && joins) {
      belongings.unpackMore(changes, SealedJson.object(parcel, "more"));
    }
    if (parcel.has("keys")) {
      SealedJson.array(parcel, "keys").forEach(key -> keys.unpack(changes, key));
    }
    if (!parcel.has("lines")) {
      return 0;
    }
    SealedJson.array(parcel, "lines").forEach(line -> lines.unpack(changes, line));
    return SealedJson.array(parcel, "lines").size();
  }

  private static byte[] data(ObjectNode piece) {
    try {
      return Base64.getDecoder().decode(SealedJson.text(piece, "data"));
    } catch (IllegalArgumentException _) {
      throw new Untrusted(Doubt.MALFORMED);
    }
  }

  private static JsonNode inflated(byte[] compressed) {
    byte[] plain = new byte[MOST_PARCEL];
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(compressed);
      int length = inflater.inflate(plain);
      if (!inflater.finished()) {
        throw new Untrusted(Doubt.MALFORMED);
      }
      return SealedJson.foreign(new String(plain, 0, length, StandardCharsets.UTF_8));
    } catch (DataFormatException _) {
      throw new Untrusted(Doubt.MALFORMED);
    }
  }

  private static void put(Changes changes, Kept kept, byte[] part) {
    changes.put(KEY, SealedJson.keep(kept));
    changes.put(PART, part);
  }
}
