package io.confab.account;

import io.confab.protocol.Caller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the sign-ins that were begun by another API key than that of this node: it was changed. All
/// nodes that have a key look, now and every minute, so that what a node with the old key began
/// meanwhile ends too. A node without a key does not know whether others have one, and ends
/// nothing.
public final class RetiredApiKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetiredApiKeys.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final int AT_ONCE = 500;

  private final Vertx vertx;
  private final DeviceStore devices;
  private final SignIns signIns;
  private boolean looking;
  private long timer = -1;

  RetiredApiKeys(Vertx vertx, DeviceStore devices, SignIns signIns) {
    this.vertx = vertx;
    this.devices = devices;
    this.signIns = signIns;
  }

  public void start(ApiKeyId current) {
    look(current);
    timer = vertx.setPeriodic(INTERVAL.toMillis(), _ -> look(current));
  }

  private void look(ApiKeyId current) {
    if (looking) {
      return;
    }
    looking = true;
    end(current)
        .onFailure(failure -> LOG.warn("Sign-ins of an old API key stand: {}", failure.toString()))
        .onComplete(_ -> looking = false);
  }

  /// Ends all of them, a piece after the other.
  Future<Void> end(ApiKeyId current) {
    return devices
        .findIssuedByOthers(current.bytes(), AT_ONCE)
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture()
                    : endEach(found.iterator(), current).compose(_ -> end(current)));
  }

  private Future<Void> endEach(Iterator<Caller> found, ApiKeyId current) {
    return found.hasNext()
        ? signIns.endIssued(found.next(), current).compose(_ -> endEach(found, current))
        : Future.succeededFuture();
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
