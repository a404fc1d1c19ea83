package io.confab.testing;

import io.confab.postgres.PostgresUrl;
import java.util.Optional;

/// The PostgreSQL and Redis that all tests of a run share: those that `CONFAB_TEST_POSTGRES_URL`
/// and `CONFAB_TEST_REDIS_URL` name, else embedded ones.
public final class TestServers {
  private TestServers() {}

  public static PostgresUrl postgres() {
    return external("CONFAB_TEST_POSTGRES_URL").map(PostgresUrl::parse).orElseThrow();
  }

  public static String redis() {
    return external("CONFAB_TEST_REDIS_URL").orElseThrow();
  }

  private static Optional<String> external(String variable) {
    return Optional.ofNullable(System.getenv(variable));
  }
}
