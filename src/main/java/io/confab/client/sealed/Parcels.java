package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.Deflater;

/// What goes to a new device, in pieces that fit into a letter: what belongs to the account, and
/// once the new device has that the keys of rooms that others gave, and lines, the newest first;
/// those that come meanwhile too. Several pieces make a parcel, which is compressed.
final class Parcels {
  /// More lines than this stay where they are.
  static final int MOST_LINES = 20_000;

  static final int MOST_KEYS = 1_000;

  /// A letter of 8 kB has room for so much, in Base64 twice.
  static final int PIECE = 3_000;

  private static final long MOST_BYTES = 16L << 20;
  private static final int PARCEL = 24_000;

  private final Belongings belongings;
  private final ReceivedKeys keys;
  private final Lines lines;
  private final Deque<ObjectNode> pieces = new ArrayDeque<>();
  private final Deque<ObjectNode> waitingParts = new ArrayDeque<>();
  private final Deque<String> waitingKeys = new ArrayDeque<>();
  private final Deque<String> waitingLines = new ArrayDeque<>();
  private final Set<String> packed = new HashSet<>();
  private long all;
  private long sent;
  private long bytes;
  private int number;
  private boolean begun;
  private boolean joined;
  private boolean ended;

  Parcels(Belongings belongings, ReceivedKeys keys, Lines lines) {
    this.belongings = belongings;
    this.keys = keys;
    this.lines = lines;
  }

  /// How many lines are packed, and how many there are.
  long lines() {
    return sent;
  }

  long all() {
    return all;
  }

  /// The next piece, and at last what says that it was all; empty: that was given.
  Optional<ObjectNode> next(Changes changes) {
    if (pieces.isEmpty() && !ended) {
      pack(changes);
    }
    return Optional.ofNullable(pieces.poll());
  }

  private void pack(Changes changes) {
    ObjectNode parcel = SealedJson.object();
    if (!begun) {
      begun = true;
      parcel.set("belongings", belongings.pack(changes));
      cut(parcel);
      return;
    }
    if (!joined) {
      joined = true;
      waitingParts.addAll(belongings.packMore(changes));
      keys.newest(changes).stream().limit(MOST_KEYS).forEach(waitingKeys::add);
    }
    if (!waitingParts.isEmpty()) {
      parcel.set("more", waitingParts.remove());
      cut(parcel);
      return;
    }
    if (!waitingKeys.isEmpty()) {
      fill(parcel.putArray("keys"), waitingKeys, key -> keys.pack(changes, key));
      cut(parcel);
      return;
    }
    if (waitingLines.isEmpty()) {
      look(changes);
    }
    if (waitingLines.isEmpty()) {
      ended = true;
      pieces.add(SealedJson.object().put("n", number).put("end", true).put("lines", sent));
      return;
    }
    sent += fill(parcel.putArray("lines"), waitingLines, key -> lines.pack(changes, key));
    cut(parcel);
  }

  /// Lines that came since are packed too.
  private void look(Changes changes) {
    List<String> found =
        bytes < MOST_BYTES && packed.size() < MOST_LINES
            ? lines.newest(changes, packed, MOST_LINES - packed.size())
            : List.of();
    packed.addAll(found);
    waitingLines.addAll(found);
    all = packed.size();
  }

  private interface Packing {
    Optional<ObjectNode> pack(String key);
  }

  private int fill(ArrayNode into, Deque<String> waiting, Packing packing) {
    int length = 0;
    while (length < PARCEL && !waiting.isEmpty()) {
      Optional<ObjectNode> item = packing.pack(waiting.remove());
      if (item.isPresent()) {
        into.add(item.get());
        length += SealedJson.write(item.get()).length();
      }
    }
    bytes += length;
    if (bytes >= MOST_BYTES) {
      waitingLines.clear();
    }
    return into.size();
  }

  private void cut(ObjectNode parcel) {
    byte[] all = deflated(SealedJson.write(parcel).getBytes(StandardCharsets.UTF_8));
    for (int from = 0; from < all.length; from += PIECE) {
      int to = Math.min(all.length, from + PIECE);
      ObjectNode piece = SealedJson.object().put("n", number++);
      piece.put("data", Base64.getEncoder().encodeToString(Arrays.copyOfRange(all, from, to)));
      pieces.add(piece.put("last", to == all.length).put("all", this.all));
    }
  }

  private static byte[] deflated(byte[] plain) {
    try (Deflater deflater = new Deflater()) {
      deflater.setInput(plain);
      deflater.finish();
      byte[] compressed = new byte[plain.length + 64];
      int length = deflater.deflate(compressed);
      return Arrays.copyOf(compressed, length);
    }
  }
}
