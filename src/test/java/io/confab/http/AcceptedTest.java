package io.confab.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AcceptedTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | 1",
        "GZIP | 1",
        " a , gzip ; Q = 0.25 , b | 0.25",
        "br;q=1.0, gzip;q=0.8, *;q=0.1 | 0.8",
        "gzip;x=1;q=0.5 | 0.5",
        "gzip;q=0 | 0",
        "gzip;q=0.000 | 0",
        "gzip;q=1.5 | 0",
        "gzip;q=-1 | 0",
        "gzip;q=NaN | 0",
        "gzip;q=1e0 | 0",
        "gzip;q= | 0",
        "gzip;q=0.2, gzip | 0.2",
        "x-gzip | ",
        "gzipped | ",
        "* | ",
        "'' | ",
        ",,,; | ",
        "br;x=gzip | ",
      })
  void aNameHasTheWeightThatStandsBehindIt(String field, Double weight) {
    assertThat(Accepted.weight(List.of(field), "gzip"))
        .isEqualTo(weight == null ? OptionalDouble.empty() : OptionalDouble.of(weight));
  }

  @Test
  void severalFieldsAreOneList() {
    assertThat(Accepted.weight(List.of("br", "gzip;q=0.5"), "gzip")).hasValue(0.5);
  }

  @Test
  void ofALongListOnlyTheBeginningIsLookedAt() {
    assertThat(Accepted.weight(List.of("a,".repeat(63) + "gzip"), "gzip")).hasValue(1);
    assertThat(Accepted.weight(List.of("a,".repeat(64) + "gzip"), "gzip")).isEmpty();
    assertThat(Accepted.weight(List.of(",".repeat(16_000), "gzip"), "gzip")).isEmpty();
    assertThat(Accepted.weight(List.of("gzip" + ";".repeat(16_000)), "gzip")).hasValue(1);
  }
}
