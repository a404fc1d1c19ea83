package io.confab.account.outside;

import com.fasterxml.jackson.databind.JsonNode;
import io.confab.config.OutsideIssuer;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a token claims (RFC 7519 §4.1), once its signature was found good.
final class Claims {
  private static final Duration NOT_BEFORE_LEEWAY = Duration.ofSeconds(60);
  private static final int SUBJECT_LENGTH = 255;
  private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999

  private Claims() {}

  /// What it says, to us and now. Refusals: `token_expired`; `unauthorized` for all else.
  ///
  /// @param leeway for which it is good beyond its end
  static OutsideToken read(JsonNode claims, OutsideIssuer issuer, Instant now, Duration leeway) {
    if (!text(claims, "iss").equals(Optional.of(issuer.issuer()))) {
      throw unauthorized("is from another issuer");
    }
    if (!isFor(claims.path("aud"), issuer.audience())) {
      throw unauthorized("is for another audience");
    }
    String subject =
        text(claims, "sub")
            .filter(Claims::isSubject)
            .orElseThrow(() -> unauthorized("has no usable sub"));
    long expiresAt =
        seconds(claims.path("exp")).orElseThrow(() -> unauthorized("has no usable exp"));
    requireBegun(claims, now);
    if (now.getEpochSecond() >= expiresAt + leeway.toSeconds()) {
      throw new Refusal(ErrorCode.TOKEN_EXPIRED, "the token has expired");
    }
    return new OutsideToken(
        new OutsideIdentity(issuer.issuer(), subject),
        fitting(claims, "preferred_username", text -> TextRules.handle("handle", text)),
        fitting(claims, "name", text -> TextRules.name("display_name", text)),
        expiresAt);
  }

  private static boolean isFor(JsonNode audience, String ours) {
    return audience.isArray()
        ? audience.valueStream().anyMatch(one -> one.isTextual() && one.textValue().equals(ours))
        : audience.isTextual() && audience.textValue().equals(ours);
  }

  private static boolean isSubject(String text) {
    return !text.isEmpty()
        && text.length() <= SUBJECT_LENGTH
        && TextRules.isWhole(text)
        && text.codePoints().noneMatch(Character::isISOControl);
  }

  private static void requireBegun(JsonNode claims, Instant now) {
    JsonNode notBefore = claims.path("nbf");
    if (notBefore.isMissingNode()) {
      return;
    }
    long from = seconds(notBefore).orElseThrow(() -> unauthorized("has no usable nbf"));
    if (now.plus(NOT_BEFORE_LEEWAY).getEpochSecond() < from) {
      throw unauthorized("is not valid yet");
    }
  }

  /// A NumericDate, whole seconds of it.
  private static OptionalLong seconds(JsonNode node) {
    double value = node.isNumber() ? node.doubleValue() : -1;
    return value >= 0 && value <= LAST_SECOND
        ? OptionalLong.of((long) value)
        : OptionalLong.empty();
  }

  private static Optional<String> text(JsonNode claims, String name) {
    return Optional.of(claims.path(name)).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }

  /// A wish, if it fits our rules.
  private static @Nullable String fitting(
      JsonNode claims, String name, UnaryOperator<String> rule) {
    try {
      return text(claims, name).map(rule).orElse(null);
    } catch (Refusal _) {
      return null;
    }
  }

  private static Refusal unauthorized(String what) {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the token " + what);
  }
}
