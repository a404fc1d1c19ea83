package io.confab.config;

import io.confab.protocol.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What must hold of outside issuers, so that a token has one meaning and its keys come from
/// where they should.
final class OutsideIssuerRules {
  private static final String OURS = "confab";
  private static final int SECRET_BYTES = 32;
  private static final int LENGTH = 255;

  private OutsideIssuerRules() {}

  /// What is wrong, each in words that follow on `accounts.issuers:`.
  static List<String> check(List<OutsideIssuer> issuers) {
    List<String> wrong = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (OutsideIssuer issuer : issuers) {
      String name = issuer.issuer();
      if (!seen.add(name) || name.equals(OURS) || name.length() > LENGTH) {
        wrong.add(
            "every issuer must be another one, not confab, and of at most 255 characters: " + name);
      }
      checkKeys(issuer).forEach(text -> wrong.add(text + " (" + name + ")"));
    }
    return wrong;
  }

  private static List<String> checkKeys(OutsideIssuer issuer) {
    List<String> wrong = new ArrayList<>();
    boolean hmac = issuer.algorithms().contains(TokenAlgorithm.HS256);
    boolean signatures = issuer.algorithms().size() > (hmac ? 1 : 0);
    if (hmac != issuer.secret().isPresent()) {
      wrong.add("a secret stands beside HS256, and HS256 beside a secret");
    }
    if (issuer.secret().filter(OutsideIssuerRules::isShort).isPresent()) {
      wrong.add("the secret must have at least 32 bytes");
    }
    if (signatures != (!issuer.publicKeys().isEmpty() || issuer.jwksUrl().isPresent())) {
      wrong.add(
          "public_keys or jwks_url stand beside RS256, ES256 and EdDSA, and these beside them");
    }
    if (issuer.publicKeys().stream().anyMatch(OutsideIssuerRules::isPrivate)) {
      wrong.add("public_keys must not hold a private key, which is shown with the configuration");
    }
    if (issuer.jwksUrl().filter(url -> !isTrusted(url)).isPresent()) {
      wrong.add("jwks_url must be an https address, or an http one on loopback");
    }
    return wrong;
  }

  /// In PEM, or as a JWK, in which `d` is what nobody else may know (RFC 7518, section 6).
  private static boolean isPrivate(String key) {
    return key.contains("PRIVATE KEY") || key.matches("(?s).*\"d\"\\s*:.*");
  }

  private static boolean isShort(Secret secret) {
    return secret.value().getBytes(StandardCharsets.UTF_8).length < SECRET_BYTES;
  }

  private static boolean isTrusted(String url) {
    try {
      URI uri = new URI(url);
      String host = uri.getHost();
      return host != null
          && uri.getUserInfo() == null
          && uri.getFragment() == null
          && ("https".equals(uri.getScheme())
              || ("http".equals(uri.getScheme()) && isLoopback(host)));
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
  }
}
