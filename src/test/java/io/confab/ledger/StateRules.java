package io.confab.ledger;

import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalQueues.Addressed;
import io.confab.ledger.FinalQueues.Waiting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What became of messages of sealed rooms, by the tables, by what senders were told, and by what
/// devices acknowledged.
final class StateRules {
  private static final String REMOVED = "removed";
  private static final String UNDECRYPTABLE = "undecryptable";

  private final Envelopes envelopes;
  private final Queues queues;
  private final FinalQueues end;
  private final Findings findings;
  private final Map<Addressed, Seen> seen = new HashMap<>();

  /// What devices of the account did with it.
  private static final class Seen {
    boolean acknowledged;
    boolean mayBeAcknowledged;
    boolean mayBeRejected;
  }

  StateRules(Envelopes envelopes, Queues queues, FinalQueues end, Findings findings) {
    this.envelopes = envelopes;
    this.queues = queues;
    this.end = end;
    this.findings = findings;
  }

  void check(List<Entry> history, Map<String, FinalRead> rooms) {
    if (end.equals(FinalQueues.NONE)) {
      return;
    }
    queues.forEach((id, log) -> log.came.forEach((number, came) -> seen(log, number, came)));
    Set<Addressed> unaddressed = new HashSet<>(end.states().keySet());
    rooms.values().forEach(room -> room.messages().forEach(m -> isTrue(m, unaddressed)));
    unaddressed.forEach(
        at -> findings.add(Invariant.STATES_TRUE, at + " had no device and has a state"));
    answers(rooms);
    for (Entry entry : history) {
      if (entry instanceof Entry.StateTold told) {
        live(told, rooms.get(told.room()));
      }
    }
  }

  private void seen(Queues.Log log, long number, Entry.EnvelopeCame came) {
    String account = queues.account(came.registration());
    if (came.isGone() || came.seq() == 0 || account.equals(came.sender())) {
      return;
    }
    Seen of =
        seen.computeIfAbsent(new Addressed(came.room(), came.seq(), account), _ -> new Seen());
    boolean rejectAsked = log.rejectAsked.contains(number);
    of.acknowledged |= number <= log.acked && !rejectAsked;
    of.mayBeAcknowledged |= number <= log.ackAsked && !log.rejected.contains(number);
    of.mayBeRejected |= rejectAsked;
  }

  /// At each account that has a device to which it went.
  ///
  /// @param unaddressed loses these accounts; all, where nobody knows to which devices it went
  private void isTrue(Stored message, Set<Addressed> unaddressed) {
    Envelopes.Sent sent = envelopes.all().get(new Sends.Key(message.sender(), message.clientId()));
    if (sent == null || sent.stored().isEmpty()) {
      queues.owners().values().forEach(owner -> unaddressed.remove(at(message, owner.account())));
      return;
    }
    Map<String, Set<Long>> targets = new LinkedHashMap<>();
    sent.stored().get().targets().stream()
        .filter(device -> !queues.account(device).isEmpty())
        .forEach(
            device ->
                targets.computeIfAbsent(queues.account(device), _ -> new HashSet<>()).add(device));
    targets.remove(message.sender());
    targets.forEach(
        (account, devices) -> {
          unaddressed.remove(at(message, account));
          isTrue(at(message, account), devices);
        });
  }

  private static Addressed at(Stored message, String account) {
    return new Addressed(message.room(), message.seq(), account);
  }

  private void isTrue(Addressed at, Set<Long> devices) {
    Seen of = seen.getOrDefault(at, new Seen());
    String state = end.states().getOrDefault(at, "");
    boolean fits =
        switch (state) {
          case Entry.DELIVERED -> of.mayBeAcknowledged;
          case REMOVED -> !of.acknowledged && devices.stream().anyMatch(queues::hasEnd);
          case UNDECRYPTABLE -> !of.acknowledged && of.mayBeRejected;
          case "" -> !of.acknowledged && devices.stream().anyMatch(this::waits);
          default -> false;
        };
    if (!fits) {
      findings.add(
          Invariant.STATES_TRUE,
          "%s is '%s', its devices %s acknowledged it: %s"
              .formatted(at, state, devices, of.acknowledged));
    }
  }

  private boolean waits(long device) {
    Waiting queue = end.queues().get(device);
    return queue != null && !queue.isEmpty();
  }

  private void answers(Map<String, FinalRead> rooms) {
    Map<Addressed, String> expected = new HashMap<>();
    end.states()
        .forEach(
            (at, state) -> {
              if (end.asked().contains(new Place(sender(rooms, at), at.room()))) {
                expected.put(at, state);
              }
            });
    Set<Addressed> all = new HashSet<>(expected.keySet());
    all.addAll(end.told().keySet());
    for (Addressed at : all) {
      if (!Objects.equals(expected.get(at), end.told().get(at))) {
        findings.add(
            Invariant.STATES_KNOWN,
            "%s is %s, told is %s".formatted(at, expected.get(at), end.told().get(at)));
      }
    }
  }

  /// Seqs are dense, so a message has its place in its room.
  private static String sender(Map<String, FinalRead> rooms, Addressed at) {
    FinalRead room = rooms.get(at.room());
    int place = (int) at.seq() - 1;
    return room == null || place >= room.messages().size()
        ? ""
        : room.messages().get(place).sender();
  }

  private void live(Entry.StateTold told, @Nullable FinalRead room) {
    if (room == null) {
      return;
    }
    long last = Math.min(told.to(), room.messages().size() + 1L);
    for (long seq = told.from(); seq <= last; seq++) {
      Addressed at = new Addressed(told.room(), seq, told.account());
      String sender = sender(Map.of(room.room(), room), at);
      if (!sender.equals(told.account())
          && !told.status().equals(end.states().getOrDefault(at, ""))) {
        findings.add(
            Invariant.STATES_KNOWN,
            "%s, and %s is '%s'".formatted(told, at, end.states().getOrDefault(at, "")));
      }
    }
  }
}
