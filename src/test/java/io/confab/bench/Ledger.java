package io.confab.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// What was sent, acknowledged and received in a run: every message must reach every member of its
/// room once, in one order for all members that keeps the order of each sender, and be acknowledged
/// once. Messages are numbered from 0 in the order in which they are sent.
final class Ledger {
  private final Layout layout;
  private final List<List<Numbers>> received;
  private final Numbers rooms = new Numbers();
  private final Numbers senders = new Numbers();
  private final Numbers acks = new Numbers();

  /// A list of numbers without boxes.
  private static final class Numbers {
    private int[] values = new int[16];
    private int size;

    void add(int value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }

  Ledger(Layout layout) {
    this.layout = layout;
    this.received =
        layout.rooms().stream()
            .map(members -> members.stream().map(_ -> new Numbers()).toList())
            .toList();
  }

  /// Answers the number of the message.
  int sent(int room, int person) {
    rooms.add(room);
    senders.add(person);
    return rooms.size - 1;
  }

  int sent() {
    return rooms.size;
  }

  int room(int message) {
    return rooms.values[message];
  }

  int sender(int message) {
    return senders.values[message];
  }

  void acked(int message) {
    acks.add(message);
  }

  /// @param member the place in the list of the room's members
  void received(int message, int member) {
    received.get(room(message)).get(member).add(message);
  }

  /// What was not as promised first; empty when all was.
  Optional<String> fault() {
    Optional<String> fault = check("acknowledgements", numbers(_ -> true), sorted(acks.toArray()));
    for (int room = 0; room < received.size() && fault.isEmpty(); room++) {
      fault = fault(room);
    }
    return fault;
  }

  private Optional<String> fault(int room) {
    int[] expected = numbers(message -> room(message) == room);
    int[] first = received.get(room).getFirst().toArray();
    for (int member = 0; member < received.get(room).size(); member++) {
      int[] got = received.get(room).get(member).toArray();
      String who = "room " + room + ", person " + layout.rooms().get(room).get(member);
      Optional<String> fault = check(who, expected, sorted(got));
      if (fault.isPresent()) {
        return fault;
      }
      if (!Arrays.equals(first, got)) {
        return Optional.of(who + ": another order than the first member's");
      }
    }
    return orderOfSenders(room, first);
  }

  private Optional<String> orderOfSenders(int room, int[] order) {
    int[] last = new int[layout.people()];
    Arrays.fill(last, -1);
    for (int message : order) {
      int sender = sender(message);
      if (message < last[sender]) {
        return Optional.of(
            "room %d: %d of person %d after its %d".formatted(room, message, sender, last[sender]));
      }
      last[sender] = message;
    }
    return Optional.empty();
  }

  private static Optional<String> check(String who, int[] expected, int[] got) {
    int at = Arrays.mismatch(expected, got);
    if (at < 0) {
      return Optional.empty();
    }
    boolean twice = at < got.length && at > 0 && got[at] == got[at - 1];
    return Optional.of(
        "%s: %s %d of %d"
            .formatted(
                who,
                twice ? "repeated" : at < expected.length ? "lost" : "strange",
                twice || at >= expected.length ? got[at] : expected[at],
                expected.length));
  }

  private int[] numbers(IntPredicate which) {
    return IntStream.range(0, rooms.size).filter(which).toArray();
  }

  private static int[] sorted(int[] numbers) {
    int[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
