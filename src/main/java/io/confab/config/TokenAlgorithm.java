package io.confab.config;

import java.util.Arrays;
import java.util.Optional;

/// How tokens of outside issuers may be signed (RFC 7518, RFC 8037): these four and no other.
public enum TokenAlgorithm {
  HS256("HS256"),
  RS256("RS256"),
  ES256("ES256"),
  EDDSA("EdDSA");

  private final String wire;

  TokenAlgorithm(String wire) {
    this.wire = wire;
  }

  /// The one spelling in tokens and in the configuration.
  public String wire() {
    return wire;
  }

  public static Optional<TokenAlgorithm> find(String wire) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.wire.equals(wire)).findFirst();
  }

  @Override
  public String toString() {
    return wire;
  }
}
