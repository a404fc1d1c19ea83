package io.confab.listener;

import io.confab.config.Config;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the client of a request when configured proxies stand before this node.
///
/// Each proxy appends the address that it saw to the right end of one header. So the header is
/// read from the right as long as a trusted proxy wrote the entry; anybody may have written what
/// stands further to the left. Only the configured header is read: proxies pass the others on
/// unchanged.
public final class TrustedProxies {
  /// One element of `Forwarded` (RFC 7239): its `for`, quoted or not.
  private static final Pattern FOR =
      Pattern.compile(
          "(?:^|;)\\s*for\\s*=\\s*(?:\"([^\"]*)\"|([^;\"\\s]*))", Pattern.CASE_INSENSITIVE);

  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([^\\]]*)\\](?::\\d{1,5})?|([^:\\[\\]]*):\\d{1,5}");

  private final List<Network> proxies;
  private final String header;

  public TrustedProxies(Config.Http config) {
    this.proxies =
        config.trustedProxies().stream()
            .map(Network::parse)
            .map(
                parsed ->
                    parsed.orElseThrow(
                        () -> new IllegalArgumentException("http.trusted_proxies: no network")))
            .toList();
    this.header = config.forwardedHeader();
  }

  /// The address of the client. Where a trusted proxy wrote nothing readable, it is the proxy.
  ///
  /// @param peer the other end of the connection, a numeric address; a scope (`%eth0`) is ignored
  /// @param headers all values of a header, in their order
  public ClientAddress client(String peer, Function<String, List<String>> headers) {
    ClientAddress client =
        ClientAddress.parse(peer.split("%", 2)[0])
            .orElseThrow(() -> new IllegalArgumentException("no address"));
    if (!isTrusted(client)) {
      return client;
    }
    List<String> entries =
        headers.apply(header).stream().flatMap(line -> Arrays.stream(line.split(",", -1))).toList();
    for (String entry : entries.reversed()) {
      Optional<ClientAddress> before = address(entry.strip());
      if (before.isEmpty()) {
        return client;
      }
      client = before.get();
      if (!isTrusted(client)) {
        return client;
      }
    }
    return client;
  }

  /// Whether a connection from there is one of a proxy.
  public boolean isTrusted(ClientAddress client) {
    return proxies.stream().anyMatch(network -> network.contains(client.address()));
  }

  private Optional<ClientAddress> address(String entry) {
    if (header.equals("forwarded")) {
      Matcher matcher = FOR.matcher(entry);
      return matcher.find()
          ? node(matcher.group(1) == null ? matcher.group(2) : matcher.group(1))
          : Optional.empty();
    }
    return node(entry);
  }

  /// An address, with or without port and brackets.
  private static Optional<ClientAddress> node(String text) {
    Matcher matcher = WITH_PORT.matcher(text);
    if (!matcher.matches()) {
      return ClientAddress.parse(text);
    }
    return ClientAddress.parse(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
  }
}
