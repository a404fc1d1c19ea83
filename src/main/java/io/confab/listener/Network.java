package io.confab.listener;

import java.net.InetAddress;
import java.util.Optional;

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or one address.
record Network(byte[] address, int bits) {

  /// Empty when the text is no network.
  static Optional<Network> parse(String text) {
    String[] parts = text.split("/", 2);
    return ClientAddress.parse(parts[0])
        .map(first -> first.address().getAddress())
        .map(
            bytes ->
                new Network(
                    bytes,
                    parts.length == 1 ? bytes.length * Byte.SIZE : Integer.parseInt(parts[1])))
        .filter(network -> network.bits <= network.address.length * Byte.SIZE);
  }

  boolean contains(InetAddress other) {
    byte[] bytes = other.getAddress();
    if (bytes.length != address.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >>> bit % Byte.SIZE;
      if (((bytes[bit / Byte.SIZE] ^ address[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
