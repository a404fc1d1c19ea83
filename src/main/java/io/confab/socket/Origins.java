package io.confab.socket;

import java.util.List;
import java.util.Set;

/// Which pages may open a socket (RFC 6455 §10.2): a browser says in `Origin` whose page it is,
/// and sends the person's credentials for any of them.
final class Origins {
  private final Set<String> allowed;

  Origins(List<String> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /// @param headers of the upgrade; none means that no page is behind it
  boolean allow(List<String> headers) {
    return headers.isEmpty() || (headers.size() == 1 && allowed.contains(headers.getFirst()));
  }
}
