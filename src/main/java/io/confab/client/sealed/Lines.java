package io.confab.client.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.Suite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The lines of sealed rooms that this device could read.
final class Lines {
  private static final String LINE = "line/";
  private static final String SAID = "said/";
  private static final String HELD = "held/";
  private static final String DUE = "due/";
  private static final String UNSEEN = "unseen/";
  private static final String SEALED = "sealed/";

  private static final Pattern WORDS = Pattern.compile("\\s+");
  private static final Comparator<SealedLine> NEWEST =
      Comparator.comparingLong(SealedLine::ts).thenComparing(SealedLine::seq).reversed();

  private final Pins pins;

  Lines(Pins pins) {
    this.pins = pins;
  }

  /// @param key of the line
  private record Held(String key, DeviceIdentity sender) {}

  /// Whether somebody's line is kept under this id already: the server cannot have it shown twice.
  boolean has(Changes changes, RoomId room, AccountId sender, ClientId clientId) {
    return changes.get(said(room, sender, clientId)).isPresent();
  }

  /// Keeps a line; one that is held is shown once its device is believed.
  void keep(Changes changes, SealedLine line, DeviceIdentity sender) {
    String key = key(line);
    changes.put(key, SealedJson.keep(line));
    changes.put(said(line.roomId(), line.senderId(), line.clientId()), new byte[0]);
    sealed(changes, line.roomId(), new KnownSeal(Suite.OLM1.wire(), line.seq()));
    if (line.held() != null && line.held() != Doubt.REORDERED) {
      changes.put(HELD + line.senderId() + "/" + key, SealedJson.keep(new Held(key, sender)));
    }
    begin(changes, line);
  }

  /// A room is sealed, which is kept when nothing of it is any more.
  void sealed(Changes changes, RoomId room, KnownSeal seal) {
    Optional<KnownSeal> before = seal(changes, room);
    KnownSeal now = before.map(known -> known.since(seal.from())).orElse(seal);
    if (!before.equals(Optional.of(now))) {
      changes.put(SEALED + room, SealedJson.keep(now));
    }
  }

  /// The rooms that are sealed.
  List<RoomId> sealedRooms(Changes changes) {
    return changes.keys(SEALED).stream()
        .map(key -> RoomId.parse(key.substring(SEALED.length())))
        .toList();
  }

  /// How a room is sealed; empty: it is not, as far as is known.
  Optional<KnownSeal> seal(Changes changes, RoomId room) {
    return changes.get(SEALED + room).map(json -> SealedJson.kept(json, KnownSeal.class));
  }

  /// Shows what was held of an account and is believed now.
  List<SealedLine> release(Changes changes, AccountId account) {
    List<SealedLine> shown = new ArrayList<>();
    for (String name : changes.keys(HELD + account + "/")) {
      Held held = SealedJson.kept(changes.get(name).orElseThrow(), Held.class);
      if (pins.doubt(changes, held.sender()).isEmpty()) {
        changes.remove(name);
        line(changes, held.key())
            .ifPresent(
                line -> {
                  changes.put(held.key(), SealedJson.keep(line.shown()));
                  shown.add(line.shown());
                });
      }
    }
    return List.copyOf(shown);
  }

  /// The last lines of a room that are shown, oldest first.
  List<SealedLine> last(Changes changes, RoomId room, int most) {
    return last(changes, changes.keys(LINE + room + "/"), most);
  }

  private static List<SealedLine> last(Changes changes, List<String> keys, int most) {
    List<SealedLine> lines = new ArrayList<>();
    for (String key : keys.reversed()) {
      line(changes, key).filter(line -> line.held() == null).ifPresent(lines::add);
      if (lines.size() == most) {
        break;
      }
    }
    return List.copyOf(lines.reversed());
  }

  /// The last lines of a room before a number that are shown, oldest first.
  List<SealedLine> before(Changes changes, RoomId room, Seq seq, int most) {
    String end = LINE + room + "/" + OrderedKey.of(seq.value());
    List<String> keys =
        changes.keys(LINE + room + "/").stream().filter(key -> key.compareTo(end) < 0).toList();
    return last(changes, keys, most);
  }

  /// The last lines that are shown and have all of these words, newest first.
  List<SealedLine> search(Changes changes, @Nullable RoomId room, String words, int most) {
    List<String> all = WORDS.splitAsStream(lower(words)).filter(word -> !word.isEmpty()).toList();
    if (all.isEmpty()) {
      return List.of();
    }
    return changes.keys(room == null ? LINE : LINE + room + "/").stream()
        .flatMap(key -> line(changes, key).stream())
        .filter(line -> line.held() == null)
        .filter(line -> all.stream().allMatch(lower(line.text())::contains))
        .sorted(NEWEST)
        .limit(most)
        .toList();
  }

  /// The person has seen the lines of a room from one number to another: their lifetimes begin.
  void seen(Changes changes, RoomId room, Seq from, Seq upTo, Instant now) {
    String prefix = UNSEEN + LINE + room + "/";
    String begin = prefix + OrderedKey.of(from.value());
    String end = prefix + OrderedKey.of(upTo.value() + 1);
    for (String unseen : changes.keys(prefix)) {
      if (unseen.compareTo(end) >= 0) {
        return;
      }
      if (unseen.compareTo(begin) < 0) {
        continue;
      }
      String key = unseen.substring(UNSEEN.length());
      line(changes, key)
          .filter(line -> line.held() == null)
          .ifPresent(
              line -> {
                SealedLine begun = line.begun(now);
                changes.put(key, SealedJson.keep(begun));
                putDue(changes, begun);
                changes.remove(unseen);
              });
    }
  }

  /// When the next line is over.
  Optional<Instant> nextExpiry(Changes changes) {
    return changes.keys(DUE).stream()
        .findFirst()
        .map(key -> key.substring(DUE.length(), due(0).length()))
        .map(millis -> Instant.ofEpochMilli(Long.parseLong(millis)));
  }

  /// Removes what is over, and says what that was.
  List<SealedLine> expire(Changes changes, Instant now) {
    List<String> over =
        changes.keys(DUE).stream()
            .takeWhile(key -> key.compareTo(due(now.toEpochMilli() + 1)) < 0)
            .toList();
    List<SealedLine> removed = new ArrayList<>();
    for (String due : over) {
      String key = due.substring(due(0).length() + 1);
      line(changes, key)
          .ifPresent(
              line -> {
                changes.remove(key);
                changes.remove(HELD + line.senderId() + "/" + key);
                removed.add(line);
              });
      changes.remove(due);
    }
    return List.copyOf(removed);
  }

  /// The newest lines that are shown, by names for [#pack].
  ///
  /// @param without those that are not meant
  List<String> newest(Changes changes, Set<String> without, int most) {
    record Found(String key, SealedLine line) {}
    return changes.keys(LINE).stream()
        .filter(key -> !without.contains(key))
        .flatMap(key -> line(changes, key).map(line -> new Found(key, line)).stream())
        .filter(found -> found.line().held() == null)
        .sorted(Comparator.comparing(Found::line, NEWEST))
        .limit(most)
        .map(Found::key)
        .toList();
  }

  /// A line for another device of the account; empty: it is over.
  Optional<ObjectNode> pack(Changes changes, String key) {
    return changes.get(key).map(SealedJson::moving);
  }

  /// Takes a line that another device of the account showed, unless it is here. Doubt: MALFORMED.
  void unpack(Changes changes, JsonNode packed) {
    SealedLine line = SealedJson.moved(packed, SealedLine.class);
    boolean whole =
        Stream.of("room_id", "seq", "sender_id", "sender_device_id", "client_id", "text")
            .allMatch(packed::hasNonNull);
    if (!whole || line.held() != null) {
      throw new Untrusted(Doubt.MALFORMED);
    }
    if (!has(changes, line.roomId(), line.senderId(), line.clientId())) {
      changes.put(key(line), SealedJson.keep(line));
      changes.put(said(line.roomId(), line.senderId(), line.clientId()), new byte[0]);
      sealed(changes, line.roomId(), new KnownSeal(Suite.OLM1.wire(), line.seq()));
      begin(changes, line);
    }
  }

  private static void begin(Changes changes, SealedLine line) {
    if (line.expiresAt() != null) {
      putDue(changes, line);
    } else if (line.expiresInS() != null) {
      changes.put(UNSEEN + key(line), new byte[0]);
    }
  }

  private static void putDue(Changes changes, SealedLine line) {
    if (line.expiresAt() != null) {
      changes.put(due(line.expiresAt()) + "/" + key(line), new byte[0]);
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static Optional<SealedLine> line(Changes changes, String key) {
    return changes.get(key).map(json -> SealedJson.kept(json, SealedLine.class));
  }

  /// In the order of the room; of two to which the server gave one number, neither is lost.
  private static String key(SealedLine line) {
    return LINE
        + line.roomId()
        + "/"
        + OrderedKey.of(line.seq().value())
        + "/"
        + line.senderId()
        + "/"
        + line.clientId().value();
  }

  private static String said(RoomId room, AccountId sender, ClientId clientId) {
    return SAID + room + "/" + sender + "/" + clientId.value();
  }

  private static String due(long millis) {
    return DUE + OrderedKey.of(millis);
  }
}
