package io.confab.limit;

import io.confab.config.Config;
import io.confab.listener.Admission;
import io.confab.listener.ClientAddress;
import io.confab.listener.TrustedProxies;
import io.confab.protocol.WireName;
import io.vertx.core.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bounds the open connections of the public listener, all together and those of one address, and
/// how often one address opens one. Proxies that are trusted bring the clients of many addresses:
/// for them only the first bound holds. For any thread.
public final class ConnectionLimit implements Admission {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);
  private static final int PARTS = 4;

  /// Which bound refused a connection.
  public enum Bound implements WireName {
    TOTAL,
    ADDRESS,
    RATE
  }

  private final Budget places;
  private final Limits rate;
  private final TrustedProxies proxies;
  private final OncePerMinute logged;
  private final Consumer<Bound> refused;

  /// @param most connections where the configuration leaves it to the process
  /// @param refused hears of each refusal
  public ConnectionLimit(Config whole, int most, Consumer<Bound> refused, LongSupplier nanoTime) {
    Config.Http config = whole.http();
    int total = config.connections() == 0 ? most : config.connections();
    int share = config.addressConnections() == 0 ? total / PARTS : config.addressConnections();
    this.places = new Budget(total, Math.max(1, share));
    this.rate =
        new Limits(
            whole.rates(),
            (limit, _, _, _) -> Future.failedFuture(limit + " is counted by each node alone"),
            _ -> {},
            nanoTime);
    this.proxies = new TrustedProxies(config);
    this.logged = new OncePerMinute(nanoTime);
    this.refused = refused;
  }

  @Override
  public boolean admit(ClientAddress peer) {
    String who = peer.group();
    if (proxies.isTrusted(peer)) {
      return places.takeAnyway(who, 1) || refuse(who, Bound.TOTAL);
    }
    if (!rate.delay(Limit.CONNECTIONS, who).isZero()) {
      return refuse(who, Bound.RATE);
    }
    rate.count(Limit.CONNECTIONS, who);
    return places.take(who, 1) || refuse(who, places.isFull() ? Bound.TOTAL : Bound.ADDRESS);
  }

  private boolean refuse(String who, Bound bound) {
    refused.accept(bound);
    if (logged.isFirst(who)) {
      LOG.warn("Connections of {} are refused: too many ({})", who, bound.wire());
    }
    return false;
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
