package io.confab.account.outside;

import io.confab.config.OutsideIssuer;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Verifies tokens of the issuers of the configuration. May be used from any thread.
public final class OutsideTokens {
  private final Map<String, Known> issuers;
  private final InstantSource clock;

  private record Known(OutsideIssuer issuer, IssuerKeys keys) {}

  /// A token that names an issuer of the configuration; nothing else of it has been checked.
  record Candidate(SignedToken token, OutsideIssuer issuer, IssuerKeys keys) {}

  /// @throws io.confab.config.InvalidConfigException for a key in the configuration that is
  ///     none
  public OutsideTokens(
      List<OutsideIssuer> issuers, PublishedKeys publishedKeys, InstantSource clock) {
    this(issuers, url -> publishedKeys.read(url), clock);
  }

  /// @param published reads the keys at an address
  OutsideTokens(
      List<OutsideIssuer> issuers,
      Function<String, Future<List<VerificationKey>>> published,
      InstantSource clock) {
    this.clock = clock;
    this.issuers =
        issuers.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    OutsideIssuer::issuer,
                    issuer -> new Known(issuer, new IssuerKeys(issuer, published, clock))));
  }

  /// Judges the keys of the configuration, and asks no issuer.
  ///
  /// @throws io.confab.config.InvalidConfigException for one that is none
  public static void check(List<OutsideIssuer> issuers) {
    issuers.forEach(
        issuer ->
            new IssuerKeys(issuer, _ -> Future.succeededFuture(List.of()), InstantSource.system()));
  }

  /// The token, if it names an outside issuer of the configuration; any other is ours or
  /// invalid.
  Optional<Candidate> find(Secret token) {
    if (issuers.isEmpty()) {
      return Optional.empty();
    }
    return SignedToken.parse(token)
        .flatMap(
            signed ->
                signed
                    .issuer()
                    .flatMap(name -> Optional.ofNullable(issuers.get(name)))
                    .map(known -> new Candidate(signed, known.issuer(), known.keys())));
  }

  /// What the token says, if its issuer signed it and it is good. Refusals: `unauthorized`,
  /// `token_expired`, `unavailable`.
  ///
  /// @param leeway for which it is good beyond its end
  Future<OutsideToken> verify(Candidate candidate, Duration leeway) {
    SignedToken token = candidate.token();
    if (!candidate.issuer().algorithms().contains(token.algorithm())) {
      return Future.failedFuture(unauthorized());
    }
    return candidate
        .keys()
        .find(token.algorithm(), token.keyId())
        .map(
            keys -> {
              if (keys.stream().noneMatch(k -> k.verifies(token.jws()))) {
                throw unauthorized();
              }
              return Claims.read(token.claims(), candidate.issuer(), clock.instant(), leeway);
            });
  }

  private static Refusal unauthorized() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the token is not valid");
  }
}
