package io.confab.config;

import io.confab.protocol.WireName;

/// How tokens of outside issuers may be signed (RFC 7518, RFC 8037): these four and no other.
public enum TokenAlgorithm implements WireName {
  HS256("HS256"),
  RS256("RS256"),
  ES256("ES256"),
  EDDSA("EdDSA");

  private final String wire;

  TokenAlgorithm(String wire) {
    this.wire = wire;
  }

  /// The one spelling in tokens and in the configuration.
  @Override
  public String wire() {
    return wire;
  }

  @Override
  public String toString() {
    return wire;
  }
}
