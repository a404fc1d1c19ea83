package io.confab.logging;

import java.util.Optional;

/// A request and what became of it, as the access log tells it. Nothing in it is text that a
/// client made up.
///
/// @param route the template of a path, never the path
/// @param bytes of the answer's body
/// @param network under which limits count the address
/// @param account who called, where that is known
/// @param refused the code of a refusal that has one
/// @param requestId where the answer names it
public record Exchange(
    String method,
    String route,
    int status,
    long bytes,
    long nanos,
    String address,
    String network,
    Optional<String> account,
    Optional<String> refused,
    Optional<String> requestId) {
  private static final int REFUSED = 400;

  /// What was answered at once, before anybody knew who called.
  public static Exchange withoutBody(
      String method, String route, int status, String address, String network) {
    return new Exchange(
        method,
        route,
        status,
        0,
        0,
        address,
        network,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  boolean isRefused() {
    return status >= REFUSED;
  }
}
