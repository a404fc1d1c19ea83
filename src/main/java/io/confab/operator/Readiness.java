package io.confab.operator;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Finds out whether a node can serve: asks all dependencies at once and names those that fail or
/// do not answer in time.
public final class Readiness {
  private final List<HealthCheck> checks;
  private final Duration patience;
  private final Map<String, Boolean> lastAnswers = new ConcurrentHashMap<>();

  /// @param patience after which a check without an answer counts as failed
  public Readiness(List<HealthCheck> checks, Duration patience) {
    this.checks = List.copyOf(checks);
    this.patience = patience;
  }

  /// Never fails.
  public Future<Report> ask() {
    List<Future<Optional<Failure>>> answers = checks.stream().map(this::ask).toList();
    return Future.join(answers)
        .map(
            all ->
                new Report(
                    answers.stream().map(Future::result).flatMap(Optional::stream).toList()));
  }

  /// Whether a dependency answered when all were asked last; false before.
  public boolean isUp(String dependency) {
    return lastAnswers.getOrDefault(dependency, false);
  }

  public List<String> dependencies() {
    return checks.stream().map(HealthCheck::dependency).toList();
  }

  private Future<Optional<Failure>> ask(HealthCheck check) {
    return start(check)
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .map(ok -> Optional.<Failure>empty())
        .otherwise(cause -> Optional.of(new Failure(check.dependency(), detail(cause))))
        .onSuccess(failure -> lastAnswers.put(check.dependency(), failure.isEmpty()));
  }

  private static Future<Void> start(HealthCheck check) {
    return Future.succeededFuture().compose(now -> check.check().get());
  }

  private static String detail(Throwable cause) {
    return Optional.ofNullable(cause.getMessage())
        .filter(Predicate.not(String::isBlank))
        .orElse(cause.getClass().getSimpleName());
  }

  /// The answer of `/health/ready`.
  public record Report(List<Failure> failing) {
    @JsonProperty
    public boolean ready() {
      return failing.isEmpty();
    }
  }

  /// A dependency that is away, and how its check failed.
  public record Failure(String dependency, String detail) {}
}
