package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:p%40ss@db.example:5433/chat",
        "postgresql://me:p%40ss@db.example:5433/chat?sslmode=verify-full&sslrootcert=%2Fa%20b%2Fca.crt"
      })
  void itsTextIsReadAgainAsTheSame(String text) {
    assertThat(PostgresUrl.parse(text).text()).isEqualTo(text);
    assertThat(PostgresUrl.parse(text).withDatabase("other").text())
        .isEqualTo(text.replace("/chat", "/other"));
  }

  @Test
  void itIsShownWithoutThePassword() {
    assertThat(
            PostgresUrl.parse(
                "postgresql://me:secret@db/chat?sslmode=verify-full&sslrootcert=ca.crt"))
        .hasToString("postgresql://me:***@db:5432/chat?sslmode=verify-full&sslrootcert=ca.crt");
  }

  @Test
  void aPasswordThatIsNotEncodedIsNotShown() {
    assertThatThrownBy(() -> PostgresUrl.parse("postgresql://me:se cret@db/chat"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("is no URL from character 19 on; are user and password encoded?")
        .hasNoCause();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sslmode=require                        | sslmode must be verify-full or disable
          sslmode=prefer                         | sslmode must be verify-full or disable
          sslrootcert=ca.crt                     | go together
          sslmode=verify-full                    | go together
          sslmode=disable&sslrootcert=ca.crt     | go together
          sslmode=verify-full&sslmode=disable    | names sslmode twice
          sslmode=verify-full&connect_timeout=10 | sslmode and sslrootcert only
          """)
  void whatItCannotHoldToIsRefused(String query, String why) {
    assertThatThrownBy(() -> PostgresUrl.parse("postgresql://me:secret@db/chat?" + query))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why)
        .hasMessageNotContaining("secret");
  }
}
