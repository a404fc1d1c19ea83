package io.confab.client.sealed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;

/// What two devices say to each other while they are linked ([Links]).
final class LinkLetters {
  static final String STEP = "confab.link.";
  static final String START = STEP + "start";
  static final String ACCEPT = STEP + "accept";
  static final String PROOF = STEP + "proof";
  static final String PIECE = STEP + "piece";
  static final String GOT = STEP + "got";
  static final String CANCEL = STEP + "cancel";

  /// The code of a cancellation.
  static final String WRONG = "wrong_code";

  private static final Duration LASTS = Duration.ofMinutes(10);

  private final Sealing sealing;

  LinkLetters(Sealing sealing) {
    this.sealing = sealing;
  }

  /// A step that is too old.
  static boolean isOver(Instant since, Instant now) {
    return !now.isBefore(end(since));
  }

  /// When a step is too old.
  static Instant end(Instant since) {
    return since.plus(LASTS);
  }

  LetterTo letter(Changes changes, RoomDevice to, String type, String id, ObjectNode content) {
    return sealing.letter(changes, to, type, content.put("id", id));
  }

  LetterTo cancel(Changes changes, RoomDevice to, String id, String code) {
    return letter(changes, to, CANCEL, id, SealedJson.object().put("code", code));
  }
}
