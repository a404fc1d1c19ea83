package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.RoomId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The lines of sealed rooms that this device could read.
final class Lines {
  private static final String LINE = "line/";
  private static final String SAID = "said/";
  private static final String HELD = "held/";
  private static final String DUE = "due/";

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
    if (line.held() != null && line.held() != Doubt.REORDERED) {
      changes.put(HELD + line.senderId() + "/" + key, SealedJson.keep(new Held(key, sender)));
    }
    if (line.expiresAt() != null) {
      changes.put(due(line.expiresAt()) + "/" + key, new byte[0]);
    }
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
    List<SealedLine> lines = new ArrayList<>();
    for (String key : changes.keys(LINE + room + "/").reversed()) {
      line(changes, key).filter(line -> line.held() == null).ifPresent(lines::add);
      if (lines.size() == most) {
        break;
      }
    }
    return List.copyOf(lines.reversed());
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

  private static Optional<SealedLine> line(Changes changes, String key) {
    return changes.get(key).map(json -> SealedJson.kept(json, SealedLine.class));
  }

  /// In the order of the room; of two to which the server gave one number, neither is lost.
  private static String key(SealedLine line) {
    return LINE
        + line.roomId()
        + "/%019d/".formatted(line.seq().value())
        + line.senderId()
        + "/"
        + line.clientId().value();
  }

  private static String said(RoomId room, AccountId sender, ClientId clientId) {
    return SAID + room + "/" + sender + "/" + clientId.value();
  }

  private static String due(long millis) {
    return DUE + "%019d".formatted(millis);
  }
}
