package io.confab.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/// The address that a request comes from. An IPv4-mapped IPv6 address
/// (`::ffff:192.0.2.1`) is the IPv4 address.
public record ClientAddress(InetAddress address) {
  private static final int LONGEST = 45;
  private static final int GROUP_BYTES = 8;
  private static final int NETWORK_BYTES = 6;

  /// Empty when the text is no address in numbers; no name is ever looked up.
  public static Optional<ClientAddress> parse(String text) {
    boolean dotted = text.indexOf('.') >= 0 && text.indexOf(':') < 0;
    if (text.length() > LONGEST
        || text.indexOf('%') >= 0
        || (dotted && !text.matches("\\d{1,3}(\\.\\d{1,3}){3}"))
        || (!dotted && text.indexOf(':') < 0)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ClientAddress(InetAddress.ofLiteral(text)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// The address at the other end of a connection; a scope (`%eth0`) does not matter.
  static ClientAddress of(InetAddress peer) {
    return parse(peer.getHostAddress().split("%", 2)[0]).orElseThrow();
  }

  /// The name under which limits count: the address, or the /64 network of an IPv6 address, since
  /// the owner of one address has the whole network.
  public String group() {
    return prefix(GROUP_BYTES);
  }

  /// The name under which guesses of passwords count: the address, or the /48 network of an IPv6
  /// address, the most that one customer is given (RFC 6177).
  public String network() {
    return prefix(NETWORK_BYTES);
  }

  private String prefix(int length) {
    if (!(address instanceof Inet6Address)) {
      return address.getHostAddress();
    }
    byte[] bytes = address.getAddress();
    Arrays.fill(bytes, length, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress() + "/" + length * Byte.SIZE;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /// For the log.
  @Override
  public String toString() {
    return address.getHostAddress();
  }
}
