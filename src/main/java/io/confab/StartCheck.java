package io.confab;

import static io.confab.Steps.await;

import io.confab.account.outside.OutsideTokens;
import io.confab.config.Config;
import io.confab.config.ConfigProblem;
import io.confab.config.InvalidConfigException;
import io.confab.config.PemFile;
import io.confab.config.TlsMode;
import io.confab.embedded.Servers;
import io.confab.listener.ServerCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.List;

/// What can be judged of a configuration without starting anything: its URLs, and the files and
/// the folder that it names, as this user finds them. `check-config` and the start of a node judge
/// by it, so that they agree.
final class StartCheck {
  private StartCheck() {}

  /// @throws InvalidConfigException naming the key
  static void require(Config config) {
    Servers.check(config);
    OutsideTokens.check(config.accounts().issuers());
    boolean listener = config.http().tls().mode() == TlsMode.FILES;
    boolean cluster = config.cluster().enabled() && config.cluster().tls().isComplete();
    if (!listener && !cluster) {
      return;
    }
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
    try {
      if (listener) {
        var _ = ServerCertificate.read(vertx, config.http().tls());
      }
      if (cluster) {
        requireCluster(vertx, config.cluster().tls());
      }
    } finally {
      await(vertx.close());
    }
  }

  private static void requireCluster(Vertx vertx, Config.ClusterTls tls) {
    var _ =
        ServerCertificate.read(
            vertx, "cluster.tls", tls.certificate().orElseThrow(), tls.key().orElseThrow());
    Path trust = tls.trust().orElseThrow();
    PemFile.fault(trust)
        .ifPresent(
            fault -> {
              throw new InvalidConfigException(
                  List.of(new ConfigProblem("cluster.tls.trust", null, fault, trust.toString())));
            });
  }
}
