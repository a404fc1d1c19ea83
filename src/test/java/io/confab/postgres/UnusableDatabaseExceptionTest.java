package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnusableDatabaseExceptionTest {
  private static final PostgresUrl URL =
      new PostgresUrl("db.example", 5432, "confab", "owner", "tiger");

  private static UnusableDatabaseException of(String state) {
    return UnusableDatabaseException.of(URL, new SQLException("FATAL: it failed.", state));
  }

  @ParameterizedTest
  @ValueSource(strings = {"28P01", "28000"})
  void aLoginThatIsRefusedNamesItsUserAndTheSettings(String state) {
    assertThat(of(state))
        .isExactlyInstanceOf(UnusableDatabaseException.class)
        .hasMessageContainingAll(
            "db.example:5432", " owner ", "FATAL: it failed.", "postgres.url", "postgres.owner_url")
        .hasMessageNotContaining("tiger");
  }

  @ParameterizedTest
  @ValueSource(strings = {"08001", "53300", "57P03"})
  void aServerThatMayAnswerLaterIsUnreachable(String state) {
    assertThat(of(state)).isInstanceOf(UnreachableDatabaseException.class);
  }

  @Test
  void aFailureWithoutAStateIsToldAsItIs() {
    assertThat(UnusableDatabaseException.of(URL, new SQLException("it failed")))
        .isExactlyInstanceOf(UnusableDatabaseException.class)
        .hasMessageContaining("it failed");
  }
}
