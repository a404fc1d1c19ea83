package io.confab.limit;

import io.confab.config.Config;
import io.confab.config.WireName;
import io.confab.listener.Admission;
import io.confab.listener.ClientAddress;
import io.confab.listener.TrustedProxies;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds the open connections of the public listener: all together, and those of one address.
/// Proxies that are trusted bring the clients of many addresses: for them only the first bound
/// holds. For any thread.
public final class ConnectionLimit implements Admission {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);
  private static final int PARTS = 4;

  /// Which bound refused a connection.
  public enum Bound implements WireName {
    TOTAL,
    ADDRESS
  }

  private final Budget places;
  private final TrustedProxies proxies;
  private final OncePerMinute logged;
  private final Consumer<Bound> refused;

  /// @param most connections where the configuration leaves it to the process
  /// @param refused hears of each refusal
  public ConnectionLimit(
      Config.Http config, int most, OncePerMinute logged, Consumer<Bound> refused) {
    int total = config.connections() == 0 ? most : config.connections();
    int share = config.addressConnections() == 0 ? total / PARTS : config.addressConnections();
    this.places = new Budget(total, Math.max(1, share));
    this.proxies = new TrustedProxies(config);
    this.logged = logged;
    this.refused = refused;
  }

  @Override
  public boolean admit(ClientAddress peer) {
    if (proxies.isTrusted(peer)
        ? places.takeAnyway(peer.group(), 1)
        : places.take(peer.group(), 1)) {
      return true;
    }
    refuse(peer);
    return false;
  }

  private void refuse(ClientAddress peer) {
    Bound bound = places.isFull() ? Bound.TOTAL : Bound.ADDRESS;
    refused.accept(bound);
    if (logged.isFirst(peer.group())) {
      LOG.warn("A connection of {} is refused: too many ({})", peer, bound.wire());
    }
  }

  @Override
  public void left(ClientAddress peer) {
    places.release(peer.group(), 1);
  }

  /// Connections open now.
  public long open() {
    return places.held();
  }
}
