package io.confab.ledger;

import java.util.HashMap;
import java.util.Map;

/// What was sent against what is stored.
final class SendRules {
  private final Sends sends;
  private final Map<String, FinalRead> rooms;
  private final Findings findings;
  private final Map<Sends.Key, Stored> stored = new HashMap<>();

  SendRules(Sends sends, Map<String, FinalRead> rooms, Findings findings) {
    this.sends = sends;
    this.rooms = rooms;
    this.findings = findings;
  }

  void check() {
    rooms.values().forEach(this::checkRoom);
    sends.all().forEach(this::checkSend);
    sends
        .conflicts()
        .forEach(
            key ->
                findings.add(
                    Invariant.NOTHING_MADE_UP,
                    "the history uses %s for two messages".formatted(key)));
  }

  private void checkRoom(FinalRead room) {
    long seq = 0;
    long rev = 0;
    for (Stored message : room.messages()) {
      if (message.seq() != seq + 1 || message.rev() <= rev || message.rev() > room.rev()) {
        findings.add(Invariant.DENSE, "after seq %d rev %d comes %s".formatted(seq, rev, message));
      }
      seq = message.seq();
      rev = message.rev();
      checkMessage(message);
    }
  }

  private void checkMessage(Stored message) {
    Sends.Key key = new Sends.Key(message.sender(), message.clientId());
    Stored twin = stored.putIfAbsent(key, message);
    if (twin != null) {
      findings.add(Invariant.STORED_ONCE, "%s and %s".formatted(twin, message));
    }
    Sends.Send send = sends.all().get(key);
    if (send == null
        || !send.room().equals(message.room())
        || !sends.hadBody(send, message.room(), message.seq(), message.bodyHash())) {
      findings.add(Invariant.NOTHING_MADE_UP, "%s was never sent so".formatted(message));
    } else if (!sends.mayEndWith(send, message.room(), message.seq(), message.bodyHash())) {
      findings.add(Invariant.NOTHING_LOST, "the last acknowledged change of %s".formatted(message));
    }
  }

  private void checkSend(Sends.Key key, Sends.Send send) {
    Stored found = stored.get(key);
    if (send.acked().size() > 1) {
      findings.add(Invariant.ACKS_AGREE, "%s was acknowledged as %s".formatted(key, send.acked()));
    }
    for (long seq : send.acked()) {
      if (found == null) {
        findings.add(
            Invariant.NOTHING_LOST,
            "%s, acknowledged as seq %d of %s".formatted(key, seq, send.room()));
      } else if (found.seq() != seq) {
        findings.add(
            Invariant.ACKS_AGREE, "%s was acknowledged as %d and is %s".formatted(key, seq, found));
      }
    }
    if (found != null && found.seq() <= send.floor()) {
      findings.add(
          Invariant.REAL_TIME_ORDER,
          "%s, although seq %d was acknowledged before it was first sent"
              .formatted(found, send.floor()));
    }
  }
}
