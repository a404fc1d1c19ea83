package io.confab.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PersistenceTest {
  @ParameterizedTest
  @CsvSource({"0,1,1", "0,7,1", "0,8,2", "0,64,2", "1,64,1", "5,2,5"})
  void thereIsOneWriterAndOnManyCoresAreTwoUnlessItIsSaid(int writers, int cores, int lanes) {
    Config.Persistence persistence =
        new Config.Persistence(writers, 200, 10_000, Duration.ofSeconds(5), Duration.ZERO);
    assertThat(persistence.lanes(cores)).isEqualTo(lanes);
  }
}
