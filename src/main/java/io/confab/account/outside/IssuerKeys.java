package io.confab.account.outside;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.MACVerifier;
import io.confab.config.ConfigProblem;
import io.confab.config.InvalidConfigException;
import io.confab.config.OutsideIssuer;
import io.confab.config.TokenAlgorithm;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys of one issuer and of no other: those of the configuration, and those that it
/// publishes, as they were last read. May be used from any thread.
///
/// The published keys are read when a token names an unknown key, and again in the background
/// when they are ten minutes old; at most once in 30 s, however many tokens come. While a read
/// fails, or finds no usable key, the keys of the last read stay good.
final class IssuerKeys {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final Duration BETWEEN_READS = Duration.ofSeconds(30);
  private static final Duration OLD = Duration.ofMinutes(10);

  private final String issuer;
  private final List<VerificationKey> configured;
  private final @Nullable Supplier<Future<List<VerificationKey>>> source;
  private final InstantSource clock;
  private volatile List<VerificationKey> published = List.of();
  private Future<Void> lastRead = Future.succeededFuture();
  private Instant readAt = Instant.MIN;

  /// @param published reads the keys at an address
  /// @throws InvalidConfigException for a key in the configuration that is none
  IssuerKeys(
      OutsideIssuer issuer,
      Function<String, Future<List<VerificationKey>>> published,
      InstantSource clock) {
    this.issuer = issuer.issuer();
    this.configured =
        Stream.concat(
                issuer.secret().stream().map(secret -> hmac(secret.value())),
                issuer.publicKeys().stream().map(this::publicKey))
            .toList();
    String url = issuer.jwksUrl().orElse(null);
    this.source = url == null ? null : () -> published.apply(url);
    this.clock = clock;
  }

  private VerificationKey publicKey(String text) {
    return PublicKeys.configured(text)
        .orElseThrow(
            () ->
                new InvalidConfigException(
                    List.of(
                        new ConfigProblem(
                            "accounts.issuers",
                            null,
                            "a public key is in PEM or a JWK, and of RSA with 2048 bits or more,"
                                + " of P-256 or of Ed25519",
                            issuer))));
  }

  private static VerificationKey hmac(String secret) {
    try {
      return new VerificationKey(TokenAlgorithm.HS256, null, new MACVerifier(secret));
    } catch (JOSEException e) {
      throw new IllegalStateException("the configuration demands a longer secret", e);
    }
  }

  /// The keys that a token may mean, none if it names one that the issuer does not have.
  /// Refusal: `unavailable` when there is none and the issuer could not be asked.
  Future<List<VerificationKey>> find(TokenAlgorithm algorithm, @Nullable String keyId) {
    List<VerificationKey> known = known(algorithm, keyId);
    Supplier<Future<List<VerificationKey>>> from = source;
    if (from == null || algorithm == TokenAlgorithm.HS256) {
      return Future.succeededFuture(known);
    }
    if (known.isEmpty()) {
      return read(from, BETWEEN_READS).map(_ -> known(algorithm, keyId));
    }
    read(from, OLD);
    return Future.succeededFuture(known);
  }

  private List<VerificationKey> known(TokenAlgorithm algorithm, @Nullable String keyId) {
    return Stream.concat(configured.stream(), published.stream())
        .filter(key -> key.fits(algorithm, keyId))
        .toList();
  }

  /// How the read under way ends, or how the last one did if it began less than `age` ago.
  private synchronized Future<Void> read(
      Supplier<Future<List<VerificationKey>>> from, Duration age) {
    Instant now = clock.instant();
    if (lastRead.isComplete() && isOlder(now, lastRead.failed() ? BETWEEN_READS : age)) {
      readAt = now;
      lastRead =
          from.get()
              .<Void>map(
                  keys -> {
                    if (keys.isEmpty()) {
                      throw new IllegalStateException("there is none that can be used");
                    }
                    published = keys;
                    return null;
                  })
              .recover(this::unreadable);
    }
    return lastRead;
  }

  private boolean isOlder(Instant now, Duration age) {
    return readAt.equals(Instant.MIN) || !now.isBefore(readAt.plus(age));
  }

  private Future<Void> unreadable(Throwable failure) {
    LOG.warn("The keys of issuer {} cannot be read: {}", issuer, failure.getMessage());
    return Future.failedFuture(Refusal.unavailable("the keys of the issuer cannot be read"));
  }
}
