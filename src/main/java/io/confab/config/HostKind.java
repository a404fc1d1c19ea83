package io.confab.config;

import java.net.InetAddress;

/// From where an address can be reached, as far as it says so itself; names are not looked up.
enum HostKind {
  LOOPBACK,
  /// RFC 1918, RFC 4193, RFC 6598, and link-local.
  PRIVATE,
  /// The world, all interfaces, or a name.
  ANY;

  private static final int UNIQUE_LOCAL = 0xfc;
  private static final int SHARED_FIRST = 100;
  private static final int SHARED_SECOND = 64;

  static HostKind of(String host) {
    if (host.equals("localhost")) {
      return LOOPBACK;
    }
    try {
      return of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException aName) {
      return ANY;
    }
  }

  private static HostKind of(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return LOOPBACK;
    }
    return address.isSiteLocalAddress()
            || address.isLinkLocalAddress()
            || isOfOrganisation(address.getAddress())
        ? PRIVATE
        : ANY;
  }

  private static boolean isOfOrganisation(byte[] bytes) {
    return bytes.length == 4
        ? bytes[0] == SHARED_FIRST && (bytes[1] & 0xc0) == SHARED_SECOND
        : (bytes[0] & 0xfe) == UNIQUE_LOCAL;
  }

  boolean isLoopback() {
    return this == LOOPBACK;
  }
}
