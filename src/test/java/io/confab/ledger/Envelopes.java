package io.confab.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What a history says of sends to sealed rooms, by sender and client id.
final class Envelopes {
  private final Map<Sends.Key, Sent> sent = new LinkedHashMap<>();

  /// Numbers with commas are repeated as long as the room's devices stay.
  private final Map<String, Set<Long>> read = new HashMap<>();

  /// One way in which it was tried.
  ///
  /// @param own registration of the sender
  /// @param began when it was tried so first
  record Try(
      long own,
      String room,
      boolean silent,
      Set<Long> devices,
      Set<Long> bodies,
      String key,
      String payloadHash,
      long began) {
    /// The devices into whose queues it goes.
    Set<Long> targets() {
      if (silent && payloadHash.isEmpty()) {
        return bodies;
      }
      Set<Long> others = new LinkedHashSet<>(devices);
      others.remove(own);
      return others;
    }

    /// Whether this is what came, as far as it tells.
    boolean isWhatCame(Entry.EnvelopeCame came) {
      return room.equals(came.room())
          && silent == (came.seq() == 0)
          && payloadHash.equals(came.payloadHash())
          && came.brings().equals(bodies.contains(came.registration()) ? key : "");
    }

    private boolean saysTheSame(Try other) {
      return room.equals(other.room)
          && silent == other.silent
          && devices.equals(other.devices)
          && bodies.equals(other.bodies)
          && key.equals(other.key)
          && payloadHash.equals(other.payloadHash);
    }
  }

  /// Something that was sent, from its first try on.
  static final class Sent {
    static final long NEVER = Long.MAX_VALUE;

    final List<Try> tries = new ArrayList<>();
    final long began;

    /// When it was acknowledged first.
    long acked = NEVER;

    private Try last;
    private Optional<Try> stored = Optional.empty();

    private Sent(Try first) {
      this.began = first.began();
      this.last = first;
      tries.add(first);
    }

    private void tried(Try next) {
      last = tries.stream().filter(next::saysTheSame).findFirst().orElse(next);
      if (last.equals(next)) {
        tries.add(next);
      }
    }

    private void acked(long t) {
      if (acked == NEVER) {
        acked = t;
        stored = Optional.of(last);
      }
    }

    /// What is stored if anything is; empty where nobody knows which try that is.
    Optional<Try> stored() {
      return tries.size() == 1 ? Optional.of(tries.getFirst()) : stored;
    }
  }

  static Envelopes of(Iterable<Entry> history) {
    Envelopes all = new Envelopes();
    Map<String, String> senders = new HashMap<>();
    for (Entry entry : history) {
      if (entry instanceof Entry.EnvelopeBegan began) {
        senders.put(began.client(), began.sender());
        all.began(began);
      } else if (entry instanceof Entry.Acked acked) {
        Sent known =
            all.sent.get(new Sends.Key(senders.getOrDefault(acked.client(), ""), acked.clientId()));
        if (known != null) {
          known.acked(acked.t());
        }
      }
    }
    return all;
  }

  private void began(Entry.EnvelopeBegan began) {
    Try tried =
        new Try(
            began.registration(),
            began.room(),
            began.silent(),
            numbers(began.devices()),
            numbers(began.bodies()),
            began.key(),
            began.payloadHash(),
            began.t());
    Sends.Key key = new Sends.Key(began.sender(), began.clientId());
    Sent known = sent.get(key);
    if (known == null) {
      sent.put(key, new Sent(tried));
    } else {
      known.tried(tried);
    }
  }

  private Set<Long> numbers(String text) {
    return read.computeIfAbsent(
        text,
        _ ->
            Arrays.stream(text.split(","))
                .filter(number -> !number.isEmpty())
                .map(Long::valueOf)
                .collect(Collectors.toCollection(LinkedHashSet::new)));
  }

  Map<Sends.Key, Sent> all() {
    return sent;
  }

  /// The try of which this came; empty where nobody sent it so.
  Optional<Try> of(Entry.EnvelopeCame came) {
    Sent known = sent.get(new Sends.Key(came.sender(), came.clientId()));
    return known == null
        ? Optional.empty()
        : known.tries.stream().filter(each -> each.isWhatCame(came)).findFirst();
  }
}
