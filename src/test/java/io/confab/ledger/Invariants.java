package io.confab.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checks a history and what is found at its end against all invariants. Each takes time in
/// proportion to the history.
public final class Invariants {
  private Invariants() {}

  /// @param reads every room of the history by at least one way of reading
  /// @return what does not hold; empty when all is well
  public static List<Violation> check(List<Entry> history, List<FinalRead> reads) {
    return check(history, reads, List.of());
  }

  /// @param members of the rooms of the history, all there were; of a room without any nobody
  /// knows who may hear it
  public static List<Violation> check(
      List<Entry> history, List<FinalRead> reads, List<Membership> members) {
    return check(history, reads, members, FinalMarks.NONE);
  }

  /// @param marks what was received and read
  public static List<Violation> check(
      List<Entry> history, List<FinalRead> reads, List<Membership> members, FinalMarks marks) {
    return check(history, reads, members, marks, FinalPresence.NONE);
  }

  /// @param presence who was there
  public static List<Violation> check(
      List<Entry> history,
      List<FinalRead> reads,
      List<Membership> members,
      FinalMarks marks,
      FinalPresence presence) {
    return check(history, reads, members, marks, presence, FinalQueues.NONE);
  }

  /// @param queues what waits for devices of sealed rooms, and what became of messages there
  public static List<Violation> check(
      List<Entry> history,
      List<FinalRead> reads,
      List<Membership> members,
      FinalMarks marks,
      FinalPresence presence,
      FinalQueues queues) {
    Findings findings = new Findings();
    Map<String, FinalRead> rooms = new LinkedHashMap<>();
    reads.forEach(read -> rooms.putIfAbsent(read.room(), read));
    Sends sends = Sends.of(history);
    new SendRules(sends, rooms, findings).check();
    new ViewRules(sends, rooms, findings).check(history);
    for (FinalRead read : reads) {
      FinalRead first = rooms.get(read.room());
      if (first != null && !read.equals(first)) {
        sameAsFirst(read, first, findings);
      }
    }
    FaultRules.check(history, findings);
    new RevocationRules(sends, history, findings).check();
    RoomRules.members(history, members, findings);
    RoomRules.archived(history, rooms, findings);
    MarkerRules.check(marks, rooms, findings);
    new ReceiptRules(history, rooms, members, marks).check(findings);
    PresenceRules.check(presence, findings);
    PresenceRules.typing(history, findings);
    sealed(history, rooms, members, queues, findings);
    lostWithAnEpoch(history, rooms, findings);
    return findings.all();
  }

  private static void sealed(
      List<Entry> history,
      Map<String, FinalRead> rooms,
      List<Membership> members,
      FinalQueues end,
      Findings findings) {
    Envelopes envelopes = Envelopes.of(history);
    Queues queues = Queues.of(history, findings);
    new QueueRules(envelopes, queues, findings).check(end);
    QueueOrder.check(queues, findings);
    new DeviceRules(envelopes, queues, findings).check(rooms, members);
    new StateRules(envelopes, queues, end, findings).check(history, rooms);
  }

  public static List<Violation> check(History history, List<FinalRead> reads) {
    return check(history.entries(), reads);
  }

  /// Commits are lost with their epoch or not at all.
  private static void lostWithAnEpoch(
      List<Entry> history, Map<String, FinalRead> rooms, Findings findings) {
    for (Entry entry : history) {
      if (entry instanceof Entry.CommitLost lost) {
        FinalRead room = rooms.get(lost.room());
        if (room != null && room.epoch() <= lost.epoch()) {
          findings.add(
              Invariant.NOTHING_LOST,
              "%s, and the room is of epoch %d".formatted(lost, room.epoch()));
        }
      }
    }
  }

  private static void sameAsFirst(FinalRead read, FinalRead first, Findings findings) {
    if (read.epoch() != first.epoch() || read.rev() != first.rev()) {
      findings.add(
          Invariant.ONE_TRUTH,
          "room %s ends at epoch %d rev %d by %s, at epoch %d rev %d by %s"
              .formatted(
                  read.room(),
                  read.epoch(),
                  read.rev(),
                  read.source(),
                  first.epoch(),
                  first.rev(),
                  first.source()));
    }
    int both = Math.min(read.messages().size(), first.messages().size());
    if (read.messages().size() != first.messages().size()) {
      findings.add(
          Invariant.ONE_TRUTH,
          "room %s has %d messages by %s, %d by %s"
              .formatted(
                  read.room(),
                  read.messages().size(),
                  read.source(),
                  first.messages().size(),
                  first.source()));
    }
    for (int i = 0; i < both; i++) {
      if (!read.messages().get(i).equals(first.messages().get(i))) {
        findings.add(
            Invariant.ONE_TRUTH,
            "%s by %s, %s by %s"
                .formatted(
                    read.messages().get(i),
                    read.source(),
                    first.messages().get(i),
                    first.source()));
      }
    }
  }
}
