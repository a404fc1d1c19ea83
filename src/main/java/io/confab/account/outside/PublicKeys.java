package io.confab.account.outside;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.confab.config.TokenAlgorithm;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads public keys: PEM (RFC 7468), JWK and JWK sets (RFC 7517). The kind of a key says its
/// algorithm. Symmetric and private keys are refused: one that was published is none.
final class PublicKeys {
  /// Of one set; more are left out.
  static final int MOST = 32;

  private static final int RSA_LEAST_BITS = 2_048;
  private static final int RSA_MOST_BITS = 8_192;
  private static final int EXPONENT_MOST_BITS = 32;
  private static final String ED25519_PREFIX = "302a300506032b6570032100"; // RFC 8410 §4
  private static final String PEM_BEGIN = "-----BEGIN PUBLIC KEY-----";
  private static final String PEM_END = "-----END PUBLIC KEY-----";

  private PublicKeys() {}

  /// One key as it stands in the configuration; empty for what is no public key of a known
  /// kind.
  static Optional<VerificationKey> configured(String text) {
    return text.strip().startsWith("{") ? object(text).flatMap(PublicKeys::ofJwk) : ofPem(text);
  }

  /// The usable keys of a set; empty when it is not even a set. One that cannot be read is left
  /// out, where the library's `JWKSet` would give up the others with it.
  static Optional<List<VerificationKey>> ofSet(String json) {
    return object(json)
        .flatMap(
            set -> set.get("keys") instanceof List<?> keys ? Optional.of(keys) : Optional.empty())
        .map(keys -> keys.stream().flatMap(jwk -> ofJwk(jwk).stream()).limit(MOST).toList());
  }

  private static Optional<Map<String, Object>> object(String json) {
    try {
      return Optional.ofNullable(JSONObjectUtils.parse(json));
    } catch (ParseException _) {
      return Optional.empty();
    }
  }

  private static Optional<VerificationKey> ofPem(String text) {
    String pem = text.strip();
    if (!pem.startsWith(PEM_BEGIN) || !pem.endsWith(PEM_END)) {
      return Optional.empty();
    }
    String base64 = pem.substring(PEM_BEGIN.length(), pem.length() - PEM_END.length());
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(base64);
      return Stream.of("RSA", "EC", "Ed25519")
          .flatMap(kind -> decoded(kind, encoded).flatMap(key -> of(key, null)).stream())
          .findFirst();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<PublicKey> decoded(String kind, byte[] encoded) {
    try {
      return Optional.of(
          KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(encoded)));
    } catch (GeneralSecurityException _) {
      return Optional.empty();
    }
  }

  @SuppressWarnings("unchecked") // names of JSON are texts
  private static Optional<VerificationKey> ofJwk(Object json) {
    if (!(json instanceof Map<?, ?> object)) {
      return Optional.empty();
    }
    try {
      JWK jwk = JWK.parse((Map<String, Object>) object);
      return jwk.isPrivate() || !isForSignatures(jwk)
          ? Optional.empty()
          : publicKey(jwk)
              .flatMap(key -> of(key, jwk.getKeyID()))
              .filter(key -> isFor(jwk, key.algorithm()));
    } catch (ParseException | JOSEException _) {
      return Optional.empty();
    }
  }

  private static boolean isForSignatures(JWK jwk) {
    return (jwk.getKeyUse() == null || jwk.getKeyUse().equals(KeyUse.SIGNATURE))
        && (jwk.getKeyOperations() == null || jwk.getKeyOperations().contains(KeyOperation.VERIFY));
  }

  private static boolean isFor(JWK jwk, TokenAlgorithm algorithm) {
    return jwk.getAlgorithm() == null || jwk.getAlgorithm().getName().equals(algorithm.wire());
  }

  private static Optional<PublicKey> publicKey(JWK jwk) throws JOSEException {
    return switch (jwk) {
      case RSAKey rsa -> Optional.of(rsa.toPublicKey());
      case ECKey ec -> Optional.of(ec.toPublicKey());
      case OctetKeyPair pair when pair.getCurve().equals(Curve.Ed25519) ->
          decoded(
              "Ed25519",
              HexFormat.of()
                  .parseHex(ED25519_PREFIX + HexFormat.of().formatHex(pair.getDecodedX())));
      default -> Optional.empty();
    };
  }

  private static Optional<VerificationKey> of(PublicKey key, @Nullable String keyId) {
    try {
      return switch (key) {
        case RSAPublicKey rsa when isFit(rsa) ->
            Optional.of(new VerificationKey(TokenAlgorithm.RS256, keyId, new RSASSAVerifier(rsa)));
        case ECPublicKey ec when Curve.P_256.equals(Curve.forECParameterSpec(ec.getParams())) ->
            Optional.of(new VerificationKey(TokenAlgorithm.ES256, keyId, new ECDSAVerifier(ec)));
        case EdECPublicKey ed
            when ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName()) ->
            Optional.of(new VerificationKey(TokenAlgorithm.EDDSA, keyId, new Ed25519Verifier(ed)));
        default -> Optional.empty();
      };
    } catch (JOSEException _) {
      return Optional.empty();
    }
  }

  private static boolean isFit(RSAPublicKey rsa) {
    int bits = rsa.getModulus().bitLength();
    return bits >= RSA_LEAST_BITS
        && bits <= RSA_MOST_BITS
        && rsa.getPublicExponent().bitLength() <= EXPONENT_MOST_BITS;
  }
}
