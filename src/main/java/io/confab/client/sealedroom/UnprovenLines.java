package io.confab.client.sealedroom;

import io.confab.client.sealed.SealedLine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Own lines of which nobody knows yet that this device was still signed when they were stored.
///
/// That another device of the account put this one out is told a moment later, and where a
/// connection was dead, when that was noticed and there is another one.
final class UnprovenLines {
  /// What is told comes in this time.
  static final Duration TOLD = Duration.ofSeconds(5);

  /// A dead connection is noticed in this time.
  static final Duration NOTICED = Duration.ofSeconds(45);

  /// Lines before these are not told of.
  static final int MOST = 256;

  private record Stored(SealedLine line, Instant at) {}

  private final InstantSource clock;
  private final Deque<Stored> lines = new ArrayDeque<>();
  private boolean missed;

  UnprovenLines(InstantSource clock) {
    this.clock = clock;
  }

  /// An own line is stored.
  void add(SealedLine line) {
    if (!missed) {
      keep(NOTICED);
    }
    if (lines.size() == MOST) {
      lines.remove();
    }
    lines.add(new Stored(line, clock.instant()));
  }

  private void keep(Duration span) {
    Instant since = clock.instant().minus(span);
    lines.removeIf(stored -> stored.at().isBefore(since));
  }

  /// The connection is lost: what would have been told is missed.
  void lost() {
    if (!missed) {
      keep(NOTICED);
      missed = true;
    }
  }

  /// The device is still signed.
  void proven() {
    lines.clear();
    missed = false;
  }

  /// The device is not signed any more. Answers the lines that were stored about when it was put
  /// out or later, and forgets them.
  List<SealedLine> refuted() {
    if (!missed) {
      keep(TOLD);
    }
    List<SealedLine> told = lines.stream().map(Stored::line).toList();
    proven();
    return told;
  }
}
