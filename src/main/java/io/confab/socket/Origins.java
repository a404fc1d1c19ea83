package io.confab.socket;

import io.confab.config.Config;
import io.confab.config.TlsMode;
import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Which pages may open a socket (RFC 6455 §10.2): a browser says in `Origin` whose page it is,
/// and sends the person's credentials for any of them.
///
/// [#OWN] on the list stands for the node's own pages: those of the address at which the connection
/// arrived, which nobody but the kernel says. A foreign page under a name that leads here has the
/// origin of that name, and is not one of them.
final class Origins {
  /// Stands for the node's own addresses.
  static final String OWN = "own";

  private static final String HTTP = "http";
  private static final String HTTPS = "https";
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Set<String> allowed;
  private final boolean allowsOwn;
  private final String scheme;
  private final String host;

  Origins(Config.Http http) {
    this.allowed = Set.copyOf(http.origins());
    // Behind a proxy no page is of the address at which the proxy connects.
    this.allowsOwn = allowed.contains(OWN) && http.tls().mode() != TlsMode.PROXY;
    this.scheme = http.tls().mode() == TlsMode.FILES ? HTTPS : HTTP;
    this.host = http.host().toLowerCase(Locale.ROOT);
  }

  /// @param headers of the upgrade; none means that no page is behind it
  /// @param local where the connection arrived
  boolean allow(List<String> headers, SocketAddress local) {
    if (headers.isEmpty()) {
      return true;
    }
    if (headers.size() > 1) {
      return false;
    }
    String origin = headers.getFirst();
    return !origin.equals(OWN)
        && (allowed.contains(origin) || (allowsOwn && own(local).contains(origin)));
  }

  /// The origins of pages that were loaded from there, as browsers write them.
  private Set<String> own(SocketAddress local) {
    InetAddress address = InetAddress.ofLiteral(local.hostAddress());
    Set<String> hosts = new HashSet<>();
    hosts.add(written(address));
    if (address.isLoopbackAddress()) {
      hosts.add("localhost");
    }
    if (!NetUtil.isValidIpV4Address(host) && !NetUtil.isValidIpV6Address(host)) {
      hosts.add(host);
    }
    Set<String> origins = new HashSet<>();
    boolean isUsual = local.port() == (scheme.equals(HTTPS) ? HTTPS_PORT : HTTP_PORT);
    hosts.forEach(h -> origins.add(scheme + "://" + h + (isUsual ? "" : ":" + local.port())));
    return origins;
  }

  /// In the one form that browsers have for an address (RFC 5952).
  private static String written(InetAddress address) {
    String text = NetUtil.toAddressString(address);
    return text.indexOf(':') < 0 ? text : "[" + text + "]";
  }
}
