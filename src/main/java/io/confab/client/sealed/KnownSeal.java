package io.confab.client.sealed;

import io.confab.protocol.Seq;

/// That a room is sealed, as far as this device knows. It stays so, whatever a server says later.
///
/// @param suite as the server named it
/// @param from the first number under which nothing plain stands, or a later one
public record KnownSeal(String suite, Seq from) {
  /// The same, and from where it is known besides.
  KnownSeal since(Seq known) {
    return known.compareTo(from) < 0 ? new KnownSeal(suite, known) : this;
  }
}
