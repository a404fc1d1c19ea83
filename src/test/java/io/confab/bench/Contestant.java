package io.confab.bench;

import java.util.List;
import java.util.OptionalLong;

/// A server that takes part, with what it needs, in processes of its own.
interface Contestant extends AutoCloseable {
  String name();

  int port();

  /// The processes that began all others of it.
  List<Long> roots();

  /// Makes people and rooms, and answers how each person speaks.
  List<Speech> furnish(Layout layout);

  Framing framing();

  /// Whether a sender takes its own message, when that comes back, for the acknowledgement.
  boolean echoes();

  /// How many bytes it has allocated on its heap since it began, where it tells that.
  default OptionalLong allocated() {
    return OptionalLong.empty();
  }

  @Override
  void close();
}
