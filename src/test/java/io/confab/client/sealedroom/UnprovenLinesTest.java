package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Seq;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnprovenLinesTest {
  private Instant now = Instant.ofEpochSecond(1_000);
  private final UnprovenLines lines = new UnprovenLines(() -> now);

  private void add(String text) {
    lines.add(
        new SealedLine(
            MemoryServer.ROOM,
            new Seq(1),
            new AccountId(17),
            new DeviceId("a"),
            new ClientId("c"),
            0,
            text,
            null,
            null,
            null));
  }

  private List<String> refuted() {
    return lines.refuted().stream().map(SealedLine::text).toList();
  }

  private void pass(Duration span) {
    now = now.plus(span);
  }

  @Test
  void whatWasStoredWithinAMomentIsDoubted() {
    add("before");
    pass(UnprovenLines.TOLD.plusMillis(1));
    add("a");
    pass(UnprovenLines.TOLD);
    add("b");
    assertThat(refuted()).containsExactly("a", "b");
    assertThat(refuted()).isEmpty();
  }

  @Test
  void allSinceTheConnectionMayHaveBeenDeadIsDoubted() {
    add("before");
    pass(UnprovenLines.NOTICED.plusMillis(1));
    add("dead");
    pass(UnprovenLines.NOTICED);
    lines.lost();
    pass(Duration.ofHours(1));
    add("without");
    lines.lost();
    pass(Duration.ofHours(1));
    assertThat(refuted()).containsExactly("dead", "without");
  }

  @Test
  void whatIsProvenIsNotDoubtedAnyMore() {
    add("a");
    lines.lost();
    lines.proven();
    pass(Duration.ofSeconds(1));
    add("b");
    pass(UnprovenLines.TOLD.plusMillis(1));
    assertThat(refuted()).isEmpty();
  }

  @Test
  void ofManyTheLastAreDoubted() {
    lines.lost();
    IntStream.rangeClosed(0, UnprovenLines.MOST).forEach(i -> add("l" + i));
    assertThat(refuted()).hasSize(UnprovenLines.MOST).startsWith("l1");
  }
}
