package io.confab.client.sealedroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnprovenLinesTest {
  private static final RoomId DEN = new RoomId(1);
  private static final RoomId NEST = new RoomId(2);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Instant now = Instant.ofEpochSecond(1_000);
  private final UnprovenLines lines = new UnprovenLines(() -> now);
  private int added;

  @BeforeEach
  void connect() {
    lines.connected();
  }

  private void add(RoomId room, String text) {
    lines.add(
        new SealedLine(
            room,
            new Seq(++added),
            new AccountId(17),
            new DeviceId("a"),
            new ClientId("c"),
            0,
            text,
            null,
            null,
            null));
  }

  private void add(String text) {
    add(DEN, text);
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
  void theMomentIsThatOfWhenItWasTold() {
    add("before");
    pass(UnprovenLines.TOLD.plusMillis(1));
    add("a");
    lines.told();
    pass(UnprovenLines.NOTICED.plus(SECOND));
    add("b");
    assertThat(refuted()).containsExactly("a", "b");
  }

  @Test
  void allSinceTheConnectionMayHaveBeenDeadIsDoubted() {
    add("before");
    pass(UnprovenLines.NOTICED.plusMillis(1));
    add("dead");
    pass(UnprovenLines.NOTICED);
    lines.told();
    lines.lost();
    pass(Duration.ofHours(1));
    add(NEST, "without");
    lines.connected();
    pass(Duration.ofHours(1));
    assertThat(refuted()).containsExactly("dead", "without");
  }

  /// It may have been on its way when the connection was lost, so it proves nothing itself.
  @Test
  void withoutAConnectionTheSecondLineOfARoomProvesThoseBeforeIt() {
    add("a");
    lines.lost();
    add("b");
    add(NEST, "other");
    add("c");
    assertThat(refuted()).containsExactly("other", "c");
  }

  @Test
  void theFirstLineAfterEachLossProvesNothing() {
    lines.lost();
    add("a");
    lines.connected();
    add("b");
    lines.lost();
    add("c");
    assertThat(refuted()).containsExactly("a", "b", "c");
  }

  @Test
  void whatWasStoredBeforeAQuestionIsProvenByItsAnswer() {
    add("a");
    lines.lost();
    lines.connected();
    UnprovenLines.Question question = lines.ask();
    pass(SECOND);
    add("b");
    lines.proven(question);
    assertThat(refuted()).containsExactly("b");
    add("c");
    pass(UnprovenLines.TOLD.plusMillis(1));
    assertThat(refuted()).isEmpty();
  }

  @Test
  void anAnswerOfBeforeAConnectionWasLostDoesNotEndTheDoubt() {
    UnprovenLines.Question question = lines.ask();
    pass(SECOND);
    add("a");
    lines.lost();
    lines.connected();
    lines.proven(question);
    pass(UnprovenLines.NOTICED);
    assertThat(refuted()).containsExactly("a");
  }

  @Test
  void anAnswerWithoutAConnectionDoesNotEndTheDoubt() {
    lines.lost();
    lines.proven(lines.ask());
    pass(SECOND);
    add("a");
    pass(UnprovenLines.NOTICED);
    assertThat(refuted()).containsExactly("a");
  }

  @Test
  void whatIsOverIsNotDoubted() {
    add("a");
    add("b");
    lines.remove(DEN, new Seq(1));
    lines.remove(NEST, new Seq(2));
    assertThat(refuted()).containsExactly("b");
  }

  @Test
  void ofManyTheLastAreDoubted() {
    IntStream.rangeClosed(0, UnprovenLines.MOST).forEach(i -> add("l" + i));
    assertThat(refuted()).hasSize(UnprovenLines.MOST).startsWith("l1");
  }
}
