package io.confab.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureKindTest {
  private static PgException error(String state) {
    return new PgException("it failed", "ERROR", state, "");
  }

  @ParameterizedTest
  @CsvSource({
    "08006, LOST",
    "57P01, LOST",
    "40003, LOST",
    "40001, BUSY",
    "40P01, BUSY",
    "55P03, BUSY",
    "57014, BUSY",
    "53200, BUSY",
    "53100, STORAGE",
    "58000, STORAGE",
    "58030, STORAGE",
    "23505, FAULT",
    "42601, FAULT"
  })
  void theStateTellsWhatBecameOfTheCall(String state, FailureKind kind) {
    assertThat(FailureKind.of(error(state))).isEqualTo(kind);
  }

  @Test
  void whatIsNoErrorOfTheServerLeavesItUnknown() {
    assertThat(FailureKind.of(new IOException("reset"))).isEqualTo(FailureKind.LOST);
  }

  @Test
  void aFullDiskIsRefusedAsStorage() {
    Future<Object> refused = Outages.refuse(error("53100"));
    assertThat(refused.cause())
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.detail()).contains("storage"));
  }

  @Test
  void aFullDiskIsToldForAWhile() {
    StorageFaults faults = new StorageFaults();
    faults.look(error("57014"), 0);
    assertThat(faults.recent(0)).isEmpty();
    faults.look(error("53100"), 0);
    assertThat(faults.recent(29_000_000_000L))
        .hasValueSatisfying(t -> assertThat(t).contains("it failed"));
    assertThat(faults.recent(30_000_000_000L)).isEmpty();
    assertThat(faults.count()).isOne();
  }
}
