package io.confab.embedded;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.config.Config;
import io.confab.config.ConfigLoader;
import io.confab.config.InvalidConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ServersTest {
  private static Config with(String variable, String value) {
    return new ConfigLoader(Map.of(variable, value)).load(null, Map.of()).config();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?sslmode=require       | postgres.url: sslmode must be verify-full or disable",
        "?sslmode=verify-full   | postgres.url: sslmode=verify-full and sslrootcert=FILE",
        "?connect_timeout=5     | postgres.url: may have the parameters sslmode and sslrootcert",
      })
  void whatAUrlMustNotSayIsNamedWithoutTheUrl(String query, String says) {
    Config config = with("CONFAB_POSTGRES_URL", "postgresql://u:hush@h/d" + query);

    assertThatThrownBy(() -> Servers.check(config))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageStartingWith(says)
        .hasMessageNotContaining("hush");
  }

  @Test
  void withoutUrlsThereIsNothingToJudge() {
    assertThatCode(() -> Servers.check(with("CONFAB_HTTP_PORT", "0"))).doesNotThrowAnyException();
  }
}
