package io.confab.ledger;

import io.confab.ledger.FinalMarks.Place;
import io.confab.ledger.FinalQueues.Addressed;
import io.confab.ledger.FinalQueues.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/// A history of a sealed room with ann, who has the device 1, and bob, who has 2 and 3; what is
/// found at its end is what follows from it unless a test changes that.
final class SealedHistory {
  static final String ROOM = "room";

  final List<Entry> entries = new ArrayList<>();
  final List<Stored> stored = new ArrayList<>();
  final List<Membership> members =
      new ArrayList<>(
          List.of(new Membership("ann", ROOM, 1, 0), new Membership("bob", ROOM, 2, 0)));
  final Map<Long, Waiting> queues = new HashMap<>();
  final Map<Addressed, String> states = new HashMap<>();
  final Map<Addressed, String> told = new HashMap<>();
  private final Set<Place> asked = new HashSet<>(Set.of(new Place("ann", ROOM)));

  SealedHistory() {
    begins(1, "ann");
    begins(2, "bob");
    begins(3, "bob");
    opens(2, 0);
    opens(3, 0);
  }

  /// Ann sends a with its key and b without, both devices of bob get and acknowledge both, and she
  /// knows.
  static SealedHistory usual() {
    SealedHistory history = new SealedHistory();
    history.sends("a", "1,2,3", "2,3");
    history.acked("a", 1);
    history.sends("b", "1,2,3", "");
    history.acked("b", 2);
    for (long device = 2; device <= 3; device++) {
      history.comes(device, 1, "a", 1, "k");
      history.comes(device, 2, "b", 2, "");
      history.keeps(device, 2);
      history.acks(device, 2);
    }
    history.keeps(1, "a");
    history.keeps(2, "b");
    history.is(1, "bob", Entry.DELIVERED);
    history.is(2, "bob", Entry.DELIVERED);
    return history;
  }

  void then(LongFunction<Entry> entry) {
    entries.add(entry.apply(entries.size()));
  }

  void begins(long device, String account) {
    then(t -> new Entry.DeviceBegan(t, account + "-" + device, account, device));
    queues.put(device, new Waiting(0, 0));
  }

  void ends(long device) {
    then(t -> new Entry.DeviceEnds(t, "device-" + device, device));
    queues.remove(device);
  }

  /// A message of ann, by the key k.
  void sends(String clientId, String devices, String bodies) {
    then(t -> new Entry.SendBegan(t, "ann-1", ROOM, clientId, "ann", ""));
    sends(clientId, false, devices, bodies, "#" + clientId);
  }

  /// A silent envelope of ann.
  void whispers(String clientId, String devices, String bodies, String hash) {
    sends(clientId, true, devices, bodies, hash);
  }

  private void sends(String clientId, boolean silent, String devices, String bodies, String hash) {
    then(
        t ->
            new Entry.EnvelopeBegan(
                t, "ann-1", 1, "ann", ROOM, clientId, silent, devices, bodies, "k", hash));
  }

  void acked(String clientId, long seq) {
    then(t -> new Entry.Acked(t, "ann-1", ROOM, clientId, seq, false));
  }

  void opens(long device, long after) {
    opens(device, after, after + 1, 0, false);
  }

  void opens(long device, long after, long first, long last, boolean reset) {
    then(
        t ->
            new Entry.QueueOpened(
                t, "device-" + device, device, 1, after, first, Math.max(after, last), reset));
  }

  void comes(long device, long number, String clientId, long seq, String brings) {
    comes(device, number, clientId, seq, brings, "#" + clientId);
  }

  void comes(long device, long number, String clientId, long seq, String brings, String hash) {
    then(
        t ->
            new Entry.EnvelopeCame(t, device, 1, number, ROOM, seq, "ann", clientId, brings, hash));
  }

  void gone(long device, long number) {
    then(t -> new Entry.EnvelopeCame(t, device, 1, number, "", 0, "", "", "", ""));
  }

  void keeps(long device, long number) {
    then(t -> new Entry.QueueKept(t, device, 1, number));
  }

  void asksAck(long device, long number) {
    then(t -> new Entry.QueueAsked(t, device, 1, Entry.ACK, number));
  }

  /// All that there is in the queue.
  void acks(long device, long number) {
    asksAck(device, number);
    then(t -> new Entry.QueueMoved(t, device, 1, Entry.ACK, number));
    queues.put(device, new Waiting(number, number));
  }

  void rejects(long device, long number) {
    then(t -> new Entry.QueueAsked(t, device, 1, Entry.REJECT, number));
    then(t -> new Entry.QueueMoved(t, device, 1, Entry.REJECT, number));
  }

  void tells(String account, long from, long to, String status) {
    then(t -> new Entry.StateTold(t, "ann-1", ROOM, account, from, to, status));
  }

  /// The message is stored, behind the memberships of ann and bob.
  void keeps(long seq, String clientId) {
    stored.add(new Stored(ROOM, 1, seq, seq + 2, "ann", clientId, ""));
  }

  /// The tables have it, and ann is told when she asks.
  void is(long seq, String account, String state) {
    states.put(new Addressed(ROOM, seq, account), state);
    told.put(new Addressed(ROOM, seq, account), state);
  }

  List<Invariant> broken() {
    return Invariants.check(
            entries,
            List.of(new FinalRead("sql", ROOM, 1, stored.size() + 2L, stored)),
            members,
            FinalMarks.NONE,
            FinalPresence.NONE,
            new FinalQueues(1, queues, states, asked, told))
        .stream()
        .map(Violation::name)
        .distinct()
        .toList();
  }
}
