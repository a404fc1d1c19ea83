package io.confab.socket;

import io.confab.feed.Event;
import io.confab.protocol.Fields;
import io.confab.protocol.Json;
import io.confab.protocol.Rev;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Whether a room has a capacity, and is read inside only, as a stream of it knows by the settings
/// at one rev and their changes since.
final class SeatRule {
  private static final byte[] CHANGED =
      "\"kind\":\"room.changed\"".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ARCHIVED =
      "\"kind\":\"room.archived\"".getBytes(StandardCharsets.UTF_8);

  private Rev at;
  private boolean capped;
  private boolean insideOnly;

  SeatRule(Rev at, boolean capped, boolean insideOnly) {
    this.at = at;
    this.capped = capped;
    this.insideOnly = insideOnly;
  }

  /// The rev up to which it is known.
  Rev at() {
    return at;
  }

  boolean isInsideOnly() {
    return insideOnly;
  }

  /// What the settings of the room are at a rev; older ones tell nothing.
  void look(Rev rev, boolean nowCapped, boolean nowInsideOnly) {
    if (!at.isAfter(rev)) {
      at = rev;
      capped = nowCapped;
      insideOnly = nowInsideOnly;
    }
  }

  /// An event of the room, which may change its settings.
  void pass(Event event) {
    if (!event.rev().isAfter(at)) {
      return;
    }
    at = event.rev();
    if (event.subject() instanceof Event.OfRoom) {
      if (contains(event.frame(), ARCHIVED)) {
        capped = false;
        insideOnly = false;
      } else if (contains(event.frame(), CHANGED)) {
        change(Json.object(event.frame()).optionalObject("settings"));
      }
    }
  }

  /// With a new capacity it is told who may read.
  private void change(@Nullable Fields settings) {
    if (settings == null) {
      return;
    }
    Long capacity = settings.optionalNumber("capacity");
    Boolean outside = settings.optionalFlag("read_outside");
    capped = capacity == null ? capped : capacity > 0;
    insideOnly = capped && (outside == null ? insideOnly : !outside);
  }

  /// Kinds stand near the beginning of a frame.
  private static boolean contains(byte[] frame, byte[] part) {
    for (int from = 0; from <= Math.min(frame.length - part.length, 200); from++) {
      int i = 0;
      while (i < part.length && frame[from + i] == part[i]) {
        i++;
      }
      if (i == part.length) {
        return true;
      }
    }
    return false;
  }
}
