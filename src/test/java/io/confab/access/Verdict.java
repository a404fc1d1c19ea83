package io.confab.access;

import io.confab.protocol.ErrorCode;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.stream.Stream;

/// What becomes of an operation: a cell of the matrix.
enum Verdict {
  DONE("+"),
  UNAUTHORIZED("U"),
  TOKEN_EXPIRED("X"),
  FORBIDDEN("F"),
  NOT_FOUND("N"),
  BANNED("B"),
  MUTED("M"),
  BLOCKED("K"),
  CONFLICT("C"),
  INVALID_FIELD("I"),
  GONE("G"),
  NO_SUCH_CALLER("."),
  /// Anything else; in no table.
  OTHER("?");

  private static final int REFUSED = 300;
  private final String cell;

  Verdict(String cell) {
    this.cell = cell;
  }

  static Verdict ofCell(String cell) {
    return Stream.of(values())
        .filter(verdict -> verdict != OTHER && verdict.cell.equals(cell))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such cell: " + cell));
  }

  /// What an answer over HTTP says. One without a body, to `HEAD`, says as much as its status.
  static Verdict of(Reply reply) {
    if (reply.status() < REFUSED) {
      return DONE;
    }
    Verdict verdict = ofCode(reply.json().getJsonObject("error").getString("code"));
    return verdict != OTHER && verdict.status() != reply.status() ? OTHER : verdict;
  }

  /// What an answer on a socket says.
  static Verdict of(JsonObject frame) {
    if (frame.getString("type").equals("error")) {
      return ofCode(frame.getString("code"));
    }
    boolean gone =
        frame.getString("type").equals("resumed")
            && frame.getJsonArray("rooms").getJsonObject(0).getBoolean("gone", false);
    return gone ? GONE : DONE;
  }

  private static Verdict ofCode(String code) {
    return Stream.of(values())
        .filter(verdict -> verdict.name().toLowerCase(Locale.ROOT).equals(code))
        .findFirst()
        .orElse(OTHER);
  }

  /// With which status that is answered over HTTP; 200 stands for every success.
  int status() {
    return this == DONE ? 200 : ErrorCode.valueOf(name()).httpStatus();
  }
}
