package io.confab.account.outside;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.config.TokenAlgorithm;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads public keys: PEM (RFC 7468), JWK and JWK sets (RFC 7517, RFC 7518 §6, RFC 8037 §2).
/// The kind of a key says its algorithm. Symmetric and private keys are refused: one that was
/// published is none.
final class PublicKeys {
  /// Of one set; more are left out.
  static final int MOST = 32;

  private static final int RSA_LEAST_BITS = 2_048;
  private static final int RSA_MOST_BITS = 8_192;
  private static final int EXPONENT_MOST_BITS = 32;
  private static final int ED25519_BYTES = 32;
  private static final String ED25519_PREFIX = "302a300506032b6570032100"; // RFC 8410 §4
  private static final String PEM_BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final String PEM_END = "-----END PUBLIC KEY-----";

  private PublicKeys() {}

  /// One key as it stands in the configuration; empty for what is no public key of a known
  /// kind.
  static Optional<VerificationKey> configured(String text) {
    return text.strip().startsWith("{")
        ? StrictJson.object(text).flatMap(PublicKeys::ofJwk)
        : ofPem(text);
  }

  /// The usable keys of a set; empty when it is not even a set.
  static Optional<List<VerificationKey>> ofSet(String json) {
    return StrictJson.object(json)
        .map(set -> set.path("keys"))
        .filter(JsonNode::isArray)
        .map(keys -> keys.valueStream().flatMap(jwk -> ofJwk(jwk).stream()).limit(MOST).toList());
  }

  private static Optional<VerificationKey> ofPem(String text) {
    String pem = text.strip();
    if (!pem.startsWith(PEM_BEGIN) || !pem.endsWith(PEM_END)) {
      return Optional.empty();
    }
    String base64 = pem.substring(PEM_BEGIN.length(), pem.length() - PEM_END.length());
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    List<VerificationKey> found = new ArrayList<>();
    for (String kind : List.of("RSA", "EC", "Ed25519")) {
      ofEncoded(kind, encoded, null).ifPresent(found::add);
    }
    return found.stream().findFirst();
  }

  private static Optional<VerificationKey> ofEncoded(
      String kind, byte[] encoded, @Nullable String keyId) {
    try {
      return ofKey(
          KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(encoded)), keyId);
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  private static Optional<VerificationKey> ofJwk(JsonNode jwk) {
    if (!jwk.isObject() || jwk.has("d") || !isForSignatures(jwk)) {
      return Optional.empty();
    }
    String keyId = jwk.path("kid").isTextual() ? jwk.path("kid").textValue() : null;
    try {
      Optional<VerificationKey> key =
          switch (jwk.path("kty").asText()) {
            case "RSA" -> ofKey(rsa(jwk), keyId);
            case "EC" -> jwk.path("crv").asText().equals("P-256") ? ofKey(ec(jwk), keyId) : none();
            case "OKP" ->
                jwk.path("crv").asText().equals("Ed25519") ? ofEd25519(jwk, keyId) : none();
            default -> none();
          };
      return key.filter(
          k -> !jwk.has("alg") || jwk.path("alg").asText().equals(k.algorithm().wire()));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<VerificationKey> none() {
    return Optional.empty();
  }

  private static boolean isForSignatures(JsonNode jwk) {
    JsonNode operations = jwk.path("key_ops");
    return (!jwk.has("use") || jwk.path("use").asText().equals("sig"))
        && (!operations.isArray()
            || operations.valueStream().anyMatch(o -> o.asText().equals("verify")));
  }

  private static PublicKey rsa(JsonNode jwk) throws GeneralSecurityException {
    return KeyFactory.getInstance("RSA")
        .generatePublic(new RSAPublicKeySpec(number(jwk, "n"), number(jwk, "e")));
  }

  private static PublicKey ec(JsonNode jwk) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC")
        .generatePublic(
            new ECPublicKeySpec(new ECPoint(number(jwk, "x"), number(jwk, "y")), p256()));
  }

  private static ECParameterSpec p256() throws GeneralSecurityException {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    return parameters.getParameterSpec(ECParameterSpec.class);
  }

  private static Optional<VerificationKey> ofEd25519(JsonNode jwk, @Nullable String keyId)
      throws InvalidKeySpecException {
    byte[] point = bytes(jwk, "x");
    if (point.length != ED25519_BYTES) {
      throw new InvalidKeySpecException("not a point of Ed25519");
    }
    return ofEncoded(
        "Ed25519",
        HexFormat.of().parseHex(ED25519_PREFIX + HexFormat.of().formatHex(point)),
        keyId);
  }

  private static BigInteger number(JsonNode jwk, String field) {
    return new BigInteger(1, bytes(jwk, field));
  }

  private static byte[] bytes(JsonNode jwk, String field) {
    return Base64.getUrlDecoder().decode(jwk.path(field).asText());
  }

  private static Optional<VerificationKey> ofKey(PublicKey key, @Nullable String keyId)
      throws GeneralSecurityException {
    return algorithm(key).map(algorithm -> new VerificationKey(algorithm, keyId, key));
  }

  private static Optional<TokenAlgorithm> algorithm(PublicKey key) throws GeneralSecurityException {
    return switch (key) {
      case RSAPublicKey rsa
          when rsa.getModulus().bitLength() >= RSA_LEAST_BITS
              && rsa.getModulus().bitLength() <= RSA_MOST_BITS
              && rsa.getPublicExponent().bitLength() <= EXPONENT_MOST_BITS ->
          Optional.of(TokenAlgorithm.RS256);
      case ECPublicKey ec when ec.getParams().getCurve().equals(p256().getCurve()) ->
          Optional.of(TokenAlgorithm.ES256);
      case EdECPublicKey ed
          when ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName()) ->
          Optional.of(TokenAlgorithm.EDDSA);
      default -> Optional.empty();
    };
  }
}
