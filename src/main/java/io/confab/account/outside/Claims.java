package io.confab.account.outside;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.confab.config.OutsideIssuer;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a token claims (RFC 7519 §4.1), once its signature was found good. Read with exact types:
/// the library's own `JWTClaimsSet` takes a number for a subject.
final class Claims {
  private static final Duration NOT_BEFORE_LEEWAY = Duration.ofSeconds(60);
  private static final int SUBJECT_LENGTH = 255;
  private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999

  private final Map<String, Object> claims;

  private Claims(Map<String, Object> claims) {
    this.claims = claims;
  }

  /// What it says, to us and now. Refusals: `token_expired`; `unauthorized` for all else.
  ///
  /// @param leeway for which it is good beyond its end
  static OutsideToken read(
      Map<String, Object> claims, OutsideIssuer issuer, Instant now, Duration leeway) {
    try {
      return new Claims(claims).read(issuer, now, leeway);
    } catch (ParseException e) {
      throw unauthorized("is not as it should be: " + e.getMessage());
    }
  }

  private OutsideToken read(OutsideIssuer issuer, Instant now, Duration leeway)
      throws ParseException {
    if (!issuer.issuer().equals(text("iss"))) {
      throw unauthorized("is from another issuer");
    }
    if (!isFor(issuer.audience())) {
      throw unauthorized("is for another audience");
    }
    String subject = text("sub");
    if (subject == null || !isSubject(subject)) {
      throw unauthorized("has no usable sub");
    }
    if (claims.containsKey("nbf")
        && now.plus(NOT_BEFORE_LEEWAY).getEpochSecond() < seconds("nbf")) {
      throw unauthorized("is not valid yet");
    }
    long expiresAt = seconds("exp");
    if (now.getEpochSecond() >= expiresAt + leeway.toSeconds()) {
      throw new Refusal(ErrorCode.TOKEN_EXPIRED, "the token has expired");
    }
    return new OutsideToken(
        new OutsideIdentity(issuer.issuer(), subject),
        fitting("preferred_username", name -> TextRules.handle("handle", name)),
        fitting("name", name -> TextRules.name("display_name", name)),
        expiresAt);
  }

  private boolean isFor(String audience) {
    Object claimed = claims.get("aud");
    return audience.equals(claimed) || (claimed instanceof List<?> l && l.contains(audience));
  }

  private static boolean isSubject(String text) {
    return !text.isEmpty()
        && text.length() <= SUBJECT_LENGTH
        && TextRules.isWhole(text)
        && text.codePoints().noneMatch(Character::isISOControl);
  }

  private @Nullable String text(String name) throws ParseException {
    return JSONObjectUtils.getString(claims, name);
  }

  /// A NumericDate, whole seconds of it.
  private long seconds(String name) throws ParseException {
    double value = JSONObjectUtils.getDouble(claims, name);
    if (value < 0 || value > LAST_SECOND) {
      throw unauthorized("has no usable " + name);
    }
    return (long) value;
  }

  /// A wish, if it fits our rules.
  private @Nullable String fitting(String name, UnaryOperator<String> rule) {
    try {
      String wish = text(name);
      return wish == null ? null : rule.apply(wish);
    } catch (ParseException | Refusal _) {
      return null;
    }
  }

  private static Refusal unauthorized(String what) {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the token " + what);
  }
}
