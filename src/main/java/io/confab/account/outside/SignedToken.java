package io.confab.account.outside;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.Secret;
import io.confab.protocol.WireName;
import java.text.ParseException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A token taken apart (RFC 7515, compact form); nothing of it is believed yet.
///
/// Of the header only `alg` and `kid` are used. Keys that a token brings (`jwk`, `x5c`) or points
/// to (`jku`, `x5u`) are ignored; a token with extensions that must be understood (`crit`) is
/// refused.
record SignedToken(JWSObject jws, TokenAlgorithm algorithm, Map<String, Object> claims) {
  private static final int MAX_LENGTH = 8_192;
  private static final int KEY_ID_LENGTH = 255;

  /// The library skips characters that are not of base64url.
  private static final Pattern COMPACT = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

  /// Empty for what is not a token of this form, or is signed in another way than we know.
  static Optional<SignedToken> parse(Secret token) {
    String text = token.value();
    if (text.length() > MAX_LENGTH || !COMPACT.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return of(JWSObject.parse(text));
    } catch (ParseException _) {
      return Optional.empty();
    }
  }

  private static Optional<SignedToken> of(JWSObject jws) {
    JWSHeader header = jws.getHeader();
    Map<String, Object> claims = jws.getPayload().toJSONObject();
    String keyId = header.getKeyID();
    if (claims == null
        || header.getCriticalParams() != null
        || !header.isBase64URLEncodePayload()
        || (keyId != null && keyId.length() > KEY_ID_LENGTH)) {
      return Optional.empty();
    }
    return WireName.find(TokenAlgorithm.class, header.getAlgorithm().getName())
        .map(algorithm -> new SignedToken(jws, algorithm, claims));
  }

  @Nullable String keyId() {
    return jws.getHeader().getKeyID();
  }

  /// The issuer that the token names; nobody has checked it.
  Optional<String> issuer() {
    try {
      return Optional.ofNullable(JSONObjectUtils.getString(claims, "iss"));
    } catch (ParseException _) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "a token by " + algorithm;
  }
}
