package io.confab.client.sealedroom;

import io.confab.client.sealed.SealedLine;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Own lines of which nobody knows yet that this device was still signed when they were stored.
///
/// That another device of the account put this one out is told a moment later, and where a
/// connection was dead, when that was noticed and there is another one. Without a connection the
/// server is asked before each line, so one that is stored proves those before it in its room.
final class UnprovenLines {
  /// What is told comes in this time.
  static final Duration TOLD = Duration.ofSeconds(5);

  /// A dead connection is noticed in this time.
  static final Duration NOTICED = Duration.ofSeconds(45);

  /// Lines before these are not told of.
  static final int MOST = 64;

  /// When it was asked whether the device is signed, and what was in doubt by then.
  record Question(Instant at, int doubts) {}

  private record Stored(SealedLine line, Instant at) {}

  private final InstantSource clock;
  private final Deque<Stored> lines = new ArrayDeque<>();

  /// Of lines that were stored since the connection was lost.
  private final Set<RoomId> rooms = new HashSet<>();

  private boolean connected;

  /// Lines that were stored since are in doubt; null: none but those of the last moments.
  private @Nullable Instant since;

  private int doubts;

  UnprovenLines(InstantSource clock) {
    this.clock = clock;
  }

  /// An own line is stored.
  void add(SealedLine line) {
    keepFrom(since == null ? ago(NOTICED) : since);
    if (!connected && !rooms.add(line.roomId())) {
      lines.removeIf(before -> before.line().roomId().equals(line.roomId()));
    }
    if (lines.size() == MOST) {
      lines.remove();
    }
    lines.add(new Stored(line, clock.instant()));
  }

  private Instant ago(Duration span) {
    return clock.instant().minus(span);
  }

  private void keepFrom(Instant first) {
    lines.removeIf(stored -> stored.at().isBefore(first));
  }

  /// A line is kept no longer.
  void remove(RoomId room, Seq seq) {
    lines.removeIf(
        stored -> stored.line().roomId().equals(room) && stored.line().seq().equals(seq));
  }

  /// The connection is lost: what would have been told is missed.
  void lost() {
    connected = false;
    rooms.clear();
    doubt(NOTICED);
  }

  /// There is a connection.
  void connected() {
    connected = true;
  }

  /// It was told that the devices of the account are others.
  void told() {
    doubt(TOLD);
  }

  private void doubt(Duration span) {
    doubts++;
    Instant from = ago(span);
    if (since == null || from.isBefore(since)) {
      since = from;
    }
  }

  /// To be given with the answer of what is asked now.
  Question ask() {
    return new Question(clock.instant(), doubts);
  }

  /// The device was signed when the server answered.
  void proven(Question question) {
    lines.removeIf(stored -> !stored.at().isAfter(question.at()));
    if (connected && doubts == question.doubts()) {
      since = null;
    }
  }

  /// The device is not signed any more. Answers the lines that were stored about when it was put
  /// out or later, and forgets them.
  List<SealedLine> refuted() {
    keepFrom(since == null ? ago(TOLD) : since);
    List<SealedLine> doubted = lines.stream().map(Stored::line).toList();
    lines.clear();
    return doubted;
  }
}
