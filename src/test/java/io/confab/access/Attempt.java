package io.confab.access;

import java.util.function.UnaryOperator;

/// What is done to try a row. Its texts have places such as `{room_id}`, which a [Scene] fills in,
/// and single quotes where JSON has double ones.
sealed interface Attempt {
  /// A call over HTTP.
  ///
  /// @param body empty: none
  record Call(String method, String path, String body) implements Attempt {
    boolean changes() {
      return !method.equals("GET");
    }

    Call filled(UnaryOperator<String> fill) {
      return new Call(method, fill.apply(path), fill.apply(body).replace('\'', '"'));
    }
  }

  /// A list that a room may stand in.
  record Listing(String path) implements Attempt {}

  /// A frame of a socket.
  record Frame(String text) implements Attempt {
    String filled(UnaryOperator<String> fill) {
      return fill.apply(text).replace('\'', '"');
    }
  }

  /// A frame that only a session that is new can send.
  record FirstFrame(Frame frame) implements Attempt {}

  /// Becoming a socket, by credentials in the upgrade.
  record Upgrade() implements Attempt {}

  /// `hello`, and with a good one `welcome`.
  record Hello() implements Attempt {}

  record Bye() implements Attempt {}
}
