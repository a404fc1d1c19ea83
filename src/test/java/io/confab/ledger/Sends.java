package io.confab.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What a history says of sends and changes: by sender and client id, and by room and seq.
final class Sends {
  /// Names a message for ever, also before it has a number.
  record Key(String sender, String clientId) {}

  record Place(String room, long seq) {}

  /// One message that somebody tried to send.
  ///
  /// @param floor the highest seq acknowledged in the room when the first try began
  /// @param acked every seq that was told
  /// @param began when the first try did: before that nobody can have it
  record Send(String room, String bodyHash, long floor, Set<Long> acked, long began) {}

  /// What was tried on a stored message.
  static final class Changes {
    final Set<String> begun = new LinkedHashSet<>();
    final Set<String> unknown = new LinkedHashSet<>();
    long lastRev;
    String lastHash = "";
  }

  private final Map<Key, Send> sends = new LinkedHashMap<>();
  private final Map<Place, Changes> changes = new HashMap<>();
  private final Map<Key, String> conflicts = new LinkedHashMap<>();
  private final Set<LostSend> lostSends = new HashSet<>();
  private final Set<LostChange> lostChanges = new HashSet<>();

  private record LostSend(Key key, long seq) {}

  private record LostChange(Place place, long rev) {}

  static Sends of(Iterable<Entry> history) {
    Sends sends = new Sends();
    sends.lost(history);
    Map<String, String> senders = new HashMap<>();
    Map<String, Long> highest = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.SendBegan began -> {
          senders.put(began.client(), began.sender());
          sends.began(began, highest.getOrDefault(began.room(), 0L));
        }
        case Entry.Acked acked -> {
          Key key = new Key(senders.getOrDefault(acked.client(), ""), acked.clientId());
          Send send = sends.sends.get(key);
          boolean kept = !sends.lostSends.contains(new LostSend(key, acked.seq()));
          if (kept) {
            highest.merge(acked.room(), acked.seq(), Math::max);
          }
          if (send != null && kept) {
            send.acked().add(acked.seq());
          }
        }
        case Entry.ChangeBegan began -> {
          Changes changes = sends.changing(began.room(), began.seq());
          changes.begun.add(began.bodyHash());
          changes.unknown.add(began.bodyHash());
        }
        case Entry.ChangeAcked acked -> sends.acked(acked);
        default -> {}
      }
    }
    return sends;
  }

  /// What went with an epoch: its acknowledgements say nothing of what is stored.
  private void lost(Iterable<Entry> history) {
    for (Entry entry : history) {
      if (entry instanceof Entry.CommitLost lost && !lost.clientId().isEmpty()) {
        lostSends.add(new LostSend(new Key(lost.sender(), lost.clientId()), lost.seq()));
      } else if (entry instanceof Entry.CommitLost lost && lost.seq() > 0) {
        lostChanges.add(new LostChange(new Place(lost.room(), lost.seq()), lost.rev()));
      }
    }
  }

  private void began(Entry.SendBegan began, long floor) {
    Key key = new Key(began.sender(), began.clientId());
    Send known =
        sends.putIfAbsent(
            key, new Send(began.room(), began.bodyHash(), floor, new TreeSet<>(), began.t()));
    if (known != null
        && (!known.bodyHash().equals(began.bodyHash()) || !known.room().equals(began.room()))) {
      conflicts.put(key, began.room());
    }
  }

  private Changes changing(String room, long seq) {
    return changes.computeIfAbsent(new Place(room, seq), _ -> new Changes());
  }

  /// One that was lost may be stored all the same, where it was tried once more.
  private void acked(Entry.ChangeAcked acked) {
    if (lostChanges.contains(new LostChange(new Place(acked.room(), acked.seq()), acked.rev()))) {
      return;
    }
    Changes changes = changing(acked.room(), acked.seq());
    changes.unknown.remove(acked.bodyHash());
    if (acked.rev() > changes.lastRev) {
      changes.lastRev = acked.rev();
      changes.lastHash = acked.bodyHash();
    }
  }

  Map<Key, Send> all() {
    return sends;
  }

  /// Client ids that the history itself used for two messages: a fault of its author.
  Set<Key> conflicts() {
    return conflicts.keySet();
  }

  /// Whether anybody tried to change this message.
  boolean isChanged(String room, long seq) {
    return changes.containsKey(new Place(room, seq));
  }

  /// Whether the message may ever have had these bytes.
  boolean hadBody(Send send, String room, long seq, String bodyHash) {
    Changes changed = changes.get(new Place(room, seq));
    return send.bodyHash().equals(bodyHash)
        || (changed != null && changed.begun.contains(bodyHash));
  }

  /// Whether these may be the last bytes: those of the last acknowledged change, or of one that
  /// nobody knows the outcome of.
  boolean mayEndWith(Send send, String room, long seq, String bodyHash) {
    Changes changed = changes.get(new Place(room, seq));
    if (changed == null) {
      return send.bodyHash().equals(bodyHash);
    }
    String last = changed.lastRev == 0 ? send.bodyHash() : changed.lastHash;
    return last.equals(bodyHash) || changed.unknown.contains(bodyHash);
  }
}
