package io.confab.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;

/// A file of certificates in PEM that are believed.
public final class PemFile {
  private PemFile() {}

  /// What is wrong with it, in words that follow on its name; empty when it can be used.
  public static Optional<String> fault(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()
          ? Optional.of("holds no certificate in PEM")
          : Optional.empty();
    } catch (CertificateException _) {
      return Optional.of("holds no certificate in PEM");
    } catch (IOException unreadable) {
      return Optional.of("cannot be read: " + FileFault.reason(unreadable));
    }
  }
}
