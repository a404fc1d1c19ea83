package io.confab.listener;

import io.confab.config.Config;
import io.confab.config.ConfigProblem;
import io.confab.config.FileFault;
import io.confab.config.InvalidConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;

/// The certificate and key that the public listener shows, as they were read from their files.
public final class ServerCertificate {
  static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

  /// Those that authenticate what they encrypt (AEAD), with keys that nobody has afterwards.
  static final List<String> CIPHER_SUITES =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final byte[] PROBE = "confab".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final PemKeyCertOptions pem;
  private final X509Certificate leaf;

  private ServerCertificate(PemKeyCertOptions pem, X509Certificate leaf) {
    this.pem = pem;
    this.leaf = leaf;
  }

  /// Has this process refuse clients that negotiate again within a connection (TLS 1.2): that
  /// costs it more than them. The JVM reads it before its first handshake as a server.
  public static void refuseRenegotiation() {
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  /// Reads both files and checks that they belong together. Blocks.
  ///
  /// @throws InvalidConfigException names the key, and nothing from the files
  public static ServerCertificate read(Vertx vertx, Config.ListenerTls tls) {
    return read(vertx, "http.tls", tls.certificate().orElseThrow(), tls.key().orElseThrow());
  }

  /// The same of any certificate and its key.
  ///
  /// @param section of the configuration, with the keys `certificate` and `key`
  public static ServerCertificate read(Vertx vertx, String section, Path certificate, Path key) {
    PemKeyCertOptions pem =
        new PemKeyCertOptions()
            .setCertValue(content(section + ".certificate", certificate))
            .setKeyValue(content(section + ".key", key));
    try {
      X509ExtendedKeyManager manager =
          Arrays.stream(pem.getKeyManagerFactory(vertx).getKeyManagers())
              .filter(X509ExtendedKeyManager.class::isInstance)
              .map(X509ExtendedKeyManager.class::cast)
              .findFirst()
              .orElseThrow();
      String alias = alias(manager);
      X509Certificate leaf = manager.getCertificateChain(alias)[0];
      requireMatch(leaf, manager.getPrivateKey(alias));
      return new ServerCertificate(pem, leaf);
    } catch (Exception _) { // Vert.x declares no less
      throw unusable(
          section + ".certificate",
          certificate,
          "is not, with %s.key (%s), a certificate and its key in PEM".formatted(section, key));
    }
  }

  private static Buffer content(String key, Path file) {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException unreadable) {
      throw unusable(key, file, "cannot be read: " + FileFault.reason(unreadable));
    }
  }

  private static InvalidConfigException unusable(String key, Path file, String why) {
    return new InvalidConfigException(List.of(new ConfigProblem(key, null, why, file.toString())));
  }

  private static String alias(X509ExtendedKeyManager manager) {
    return Stream.of("RSA", "EC", "EdDSA", "Ed25519")
        .map(type -> manager.getServerAliases(type, null))
        .filter(Objects::nonNull)
        .flatMap(Arrays::stream)
        .findFirst()
        .orElseThrow();
  }

  private static void requireMatch(X509Certificate leaf, PrivateKey key)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(PROBE);
    byte[] signature = signing.sign();
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(leaf.getPublicKey());
    verifying.update(PROBE);
    if (!verifying.verify(signature)) {
      throw new GeneralSecurityException("the key is another certificate's");
    }
  }

  PemKeyCertOptions pem() {
    return pem;
  }

  /// The options that a listener takes when the certificate has changed.
  public ServerSSLOptions options() {
    ServerSSLOptions options = new ServerSSLOptions();
    options.setKeyCertOptions(pem.copy());
    options.setEnabledSecureTransportProtocols(PROTOCOLS);
    CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
    return options;
  }

  public Instant expires() {
    return leaf.getNotAfter().toInstant();
  }

  /// Whether both files hold the same bytes as another's.
  boolean isSameAs(ServerCertificate other) {
    return pem.getCertValue().equals(other.pem.getCertValue())
        && pem.getKeyValue().equals(other.pem.getKeyValue());
  }

  @Override
  public String toString() {
    return "%s, until %s".formatted(leaf.getSubjectX500Principal(), expires());
  }
}
