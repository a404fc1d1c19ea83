package io.confab.postgres;

import io.confab.config.PemFile;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// TLS to PostgreSQL, the certificate and the name in it verified: libpq's `sslmode=verify-full`
/// (https://www.postgresql.org/docs/18/libpq-ssl.html). Its weaker modes, by which anybody on the
/// way can be the server, are not offered.
///
/// @param rootCertificate a file (PEM) of the authorities that are believed
public record PostgresTls(String rootCertificate) {
  private static final String MODE = "sslmode";
  private static final String VERIFIED = "verify-full";
  private static final String ROOT = "sslrootcert";

  /// Reads what a URL says after its question mark; empty for a connection in the clear.
  ///
  /// @throws IllegalArgumentException for what is not known
  static Optional<PostgresTls> of(Map<String, String> parameters) {
    if (!Set.of(MODE, ROOT).containsAll(parameters.keySet())) {
      throw new IllegalArgumentException("may have the parameters sslmode and sslrootcert only");
    }
    String mode = parameters.getOrDefault(MODE, "disable");
    if (!Set.of(VERIFIED, "disable").contains(mode)) {
      throw new IllegalArgumentException("sslmode must be verify-full or disable");
    }
    if (mode.equals(VERIFIED) != parameters.containsKey(ROOT)) {
      throw new IllegalArgumentException("sslmode=verify-full and sslrootcert=FILE go together");
    }
    return Optional.ofNullable(parameters.get(ROOT)).map(PostgresTls::new);
  }

  /// Reads the file, as every connection does.
  ///
  /// @throws IllegalArgumentException when it cannot be used
  void requireUsable() {
    PemFile.fault(Path.of(rootCertificate))
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(
                  "its sslrootcert, %s, %s".formatted(rootCertificate, fault));
            });
  }

  void applyTo(PgConnectOptions options) {
    options
        .setSslMode(SslMode.VERIFY_FULL)
        .setSslOptions(
            new ClientSSLOptions()
                .setHostnameVerificationAlgorithm("HTTPS")
                .setTrustOptions(new PemTrustOptions().addCertPath(rootCertificate)));
  }

  /// As a URL ends with it, that of JDBC too.
  String query() {
    return "?%s=%s&%s=%s".formatted(MODE, VERIFIED, ROOT, PostgresUrl.encode(rootCertificate));
  }
}
