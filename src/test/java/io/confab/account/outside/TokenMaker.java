package io.confab.account.outside;

import io.confab.config.TokenAlgorithm;
import io.confab.protocol.Secret;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// An issuer's pen: signs tokens as issuers do, and as attackers would like to.
public record TokenMaker(TokenAlgorithm algorithm, String keyId, byte[] secret, KeyPair pair) {
  private static final int COORDINATE = 32;
  private static final int ED25519 = 32;

  public static TokenMaker hmac(String secret) {
    return new TokenMaker(
        TokenAlgorithm.HS256, "", secret.getBytes(StandardCharsets.UTF_8), new KeyPair(null, null));
  }

  /// One with a new key pair.
  public static TokenMaker of(TokenAlgorithm algorithm, String keyId) {
    try {
      KeyPairGenerator generator =
          KeyPairGenerator.getInstance(
              switch (algorithm) {
                case RS256 -> "RSA";
                case ES256 -> "EC";
                case EDDSA -> "Ed25519";
                case HS256 -> throw new IllegalArgumentException("has a secret");
              });
      if (algorithm == TokenAlgorithm.RS256) {
        generator.initialize(2_048);
      } else if (algorithm == TokenAlgorithm.ES256) {
        generator.initialize(256);
      }
      return new TokenMaker(algorithm, keyId, new byte[0], generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public JsonObject header() {
    JsonObject header = new JsonObject().put("alg", algorithm.wire()).put("typ", "JWT");
    return keyId.isEmpty() ? header : header.put("kid", keyId);
  }

  public Secret sign(JsonObject claims) {
    return sign(header(), claims);
  }

  public Secret sign(JsonObject header, JsonObject claims) {
    return sign(header.encode(), claims.encode());
  }

  /// Signs whatever text is given.
  public Secret sign(String header, String claims) {
    String input = encode(header) + "." + encode(claims);
    return new Secret(input + "." + encode(signature(input.getBytes(StandardCharsets.UTF_8))));
  }

  private byte[] signature(byte[] input) {
    try {
      return switch (algorithm) {
        case HS256 -> mac(secret, input);
        case RS256 -> signature("SHA256withRSA", input);
        case ES256 -> signature("SHA256withECDSAinP1363Format", input);
        case EDDSA -> signature("Ed25519", input);
      };
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] signature(String name, byte[] input) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(name);
    PrivateKey key = pair.getPrivate();
    signature.initSign(key);
    signature.update(input);
    return signature.sign();
  }

  private static byte[] mac(byte[] key, byte[] input) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(input);
  }

  public PublicKey publicKey() {
    return pair.getPublic();
  }

  public String pem() {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  public JsonObject jwk() {
    JsonObject jwk = new JsonObject().put("kid", keyId).put("use", "sig");
    return switch (publicKey()) {
      case RSAPublicKey rsa ->
          jwk.put("kty", "RSA")
              .put("alg", "RS256")
              .put("n", encode(rsa.getModulus().toByteArray()))
              .put("e", encode(rsa.getPublicExponent().toByteArray()));
      case ECPublicKey ec ->
          jwk.put("kty", "EC")
              .put("crv", "P-256")
              .put("x", encode(coordinate(ec.getW().getAffineX())))
              .put("y", encode(coordinate(ec.getW().getAffineY())));
      default -> {
        byte[] encoded = publicKey().getEncoded();
        yield jwk.put("kty", "OKP")
            .put("crv", "Ed25519")
            .put(
                "x", encode(Arrays.copyOfRange(encoded, encoded.length - ED25519, encoded.length)));
      }
    };
  }

  public static String jwks(TokenMaker... makers) {
    return new JsonObject()
        .put("keys", new JsonArray(List.of(makers).stream().map(TokenMaker::jwk).toList()))
        .encode();
  }

  private static byte[] coordinate(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] padded = new byte[COORDINATE];
    int length = Math.min(bytes.length, COORDINATE);
    System.arraycopy(bytes, bytes.length - length, padded, COORDINATE - length, length);
    return padded;
  }

  public static String encode(String text) {
    return encode(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
