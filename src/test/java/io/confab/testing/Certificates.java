package io.confab.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Certificates of an authority of a test's own, made by `scripts/certificates`.
public final class Certificates {
  private Certificates() {}

  /// A client that trusts the `ca.crt` of the folder alone.
  public static SSLContext trusting(Path folder) {
    try (InputStream in = Files.newInputStream(folder.resolve("ca.crt"))) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Makes `ca.crt` and, for each name, `NAME.crt` and `NAME.key` in the folder.
  public static Path make(Path folder, String... names) {
    List<String> command = new ArrayList<>();
    command.add(Path.of("scripts", "certificates").toAbsolutePath().toString());
    command.add(folder.toString());
    command.addAll(List.of(names));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectOutput(folder.resolveSibling(folder.getFileName() + ".log").toFile());
    try {
      Process process = builder.start();
      if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(command + " failed");
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
