package io.confab.account.outside;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.config.Secret;
import io.confab.config.TokenAlgorithm;
import io.confab.config.WireName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A token taken apart (RFC 7515, compact form); nothing of it is believed yet.
///
/// Of the header only `alg` and `kid` are read. Where keys are (`jku`, `x5u`) and what they are
/// (`jwk`, `x5c`) the token has no say in; one that demands to be understood further (`crit`)
/// is refused.
///
/// @param input what was signed
record SignedToken(
    TokenAlgorithm algorithm,
    @Nullable String keyId,
    JsonNode claims,
    byte[] input,
    byte[] signature) {
  private static final int MAX_LENGTH = 8_192;
  private static final int PARTS = 3;
  private static final int KEY_ID_LENGTH = 255;

  /// Empty for what is not a token of this form, or signed in another way than we know.
  static Optional<SignedToken> parse(Secret token) {
    String text = token.value();
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String[] parts = text.split("\\.", PARTS + 1);
    if (parts.length != PARTS) {
      return Optional.empty();
    }
    return object(parts[0])
        .filter(header -> !header.has("crit") && hasGoodKeyId(header))
        .flatMap(header -> of(header, parts));
  }

  /// Who a token says it is from; nobody has checked it.
  Optional<String> issuer() {
    return text(claims.path("iss"));
  }

  private static Optional<SignedToken> of(JsonNode header, String[] parts) {
    Optional<TokenAlgorithm> algorithm =
        text(header.path("alg")).flatMap(name -> WireName.find(TokenAlgorithm.class, name));
    Optional<JsonNode> claims = object(parts[1]);
    Optional<byte[]> signature = decode(parts[2]);
    if (algorithm.isEmpty() || claims.isEmpty() || signature.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SignedToken(
            algorithm.get(),
            text(header.path("kid")).orElse(null),
            claims.get(),
            (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII),
            signature.get()));
  }

  private static boolean hasGoodKeyId(JsonNode header) {
    JsonNode keyId = header.path("kid");
    return keyId.isMissingNode()
        || (keyId.isTextual() && keyId.textValue().length() <= KEY_ID_LENGTH);
  }

  private static Optional<JsonNode> object(String part) {
    return decode(part).flatMap(StrictJson::object);
  }

  private static Optional<byte[]> decode(String part) {
    try {
      return part.isEmpty() || part.endsWith("=")
          ? Optional.empty()
          : Optional.of(Base64.getUrlDecoder().decode(part));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  @Override
  public String toString() {
    return "a token by " + algorithm;
  }
}
