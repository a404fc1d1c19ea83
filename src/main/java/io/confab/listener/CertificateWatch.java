package io.confab.listener;

import io.confab.config.Config;
import io.confab.config.InvalidConfigException;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the files of the listener's certificate at intervals and reports another certificate. An
/// unusable one, such as half of a change, is logged once and changes nothing.
public final class CertificateWatch {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(2);

  private final Vertx vertx;
  private final Config.ListenerTls tls;
  private final Consumer<ServerCertificate> changed;
  private volatile ServerCertificate current;
  private String complaint = "";

  /// @param current the certificate in use
  /// @param changed receives another one, on any thread
  public CertificateWatch(
      Vertx vertx,
      Config.ListenerTls tls,
      ServerCertificate current,
      Consumer<ServerCertificate> changed) {
    this.vertx = vertx;
    this.tls = tls;
    this.current = current;
    this.changed = changed;
  }

  /// Until Vert.x is closed.
  public void start() {
    vertx.setPeriodic(EVERY.toMillis(), _ -> vertx.executeBlocking(this::look));
  }

  /// When the certificate in use ends.
  public Instant expires() {
    return current.expires();
  }

  private Void look() {
    try {
      ServerCertificate read = ServerCertificate.read(vertx, tls);
      complaint = "";
      if (!read.isSameAs(current)) {
        current = read;
        LOG.info("The listener has another certificate: {}", read);
        changed.accept(read);
      }
    } catch (InvalidConfigException unusable) {
      String message = String.valueOf(unusable.getMessage());
      if (!message.equals(complaint)) {
        complaint = message;
        LOG.warn("The listener keeps its certificate: {}", message);
      }
    }
    return null;
  }
}
