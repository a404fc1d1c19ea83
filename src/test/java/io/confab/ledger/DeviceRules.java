package io.confab.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which devices got what: those of the room as it was numbered, and what was sent.
final class DeviceRules {
  private final Envelopes envelopes;
  private final Queues queues;
  private final Findings findings;
  private final Map<FinalMarks.Place, List<Membership>> spans = new HashMap<>();
  private final Map<String, Map<Long, Stored>> messages = new HashMap<>();

  DeviceRules(Envelopes envelopes, Queues queues, Findings findings) {
    this.envelopes = envelopes;
    this.queues = queues;
    this.findings = findings;
  }

  void check(Map<String, FinalRead> rooms, List<Membership> members) {
    for (Membership each : members) {
      spans
          .computeIfAbsent(
              new FinalMarks.Place(each.account(), each.room()), _ -> new ArrayList<>())
          .add(each);
    }
    rooms.forEach(
        (name, room) -> {
          Map<Long, Stored> bySeq = new LinkedHashMap<>();
          room.messages().forEach(message -> bySeq.put(message.seq(), message));
          messages.put(name, bySeq);
        });
    queues.forEach(
        (_, log) -> log.came.values().stream().filter(came -> !came.isGone()).forEach(this::came));
    messages.values().forEach(room -> room.values().forEach(this::leftOut));
  }

  private void came(Entry.EnvelopeCame came) {
    Envelopes.Try sent = envelopes.of(came).orElse(null);
    if (sent == null) {
      findings.add(Invariant.NOTHING_MADE_UP, came + " was never sent so");
    } else if (!sent.targets().contains(came.registration())) {
      findings.add(
          Invariant.DEVICES_OF_ROOM, "%s went to none but %s".formatted(came, sent.targets()));
    }
    Stored message = messages.getOrDefault(came.room(), Map.of()).get(came.seq());
    if (message == null) {
      if (came.seq() > 0 && messages.containsKey(came.room())) {
        findings.add(Invariant.ONE_TRUTH, came + " has no message");
      }
    } else if (!message.sender().equals(came.sender())
        || !message.clientId().equals(came.clientId())) {
      findings.add(Invariant.ONE_TRUTH, "%s, but stored is %s".formatted(came, message));
    } else if (!isIn(queues.account(came.registration()), message)) {
      findings.add(
          Invariant.DEVICES_OF_ROOM, "%s, and its account was not in the room".formatted(came));
    }
  }

  /// Devices that had keys before it was tried so, and still when it was acknowledged, of people
  /// who were in the room.
  private void leftOut(Stored message) {
    Envelopes.Sent sent = envelopes.all().get(new Sends.Key(message.sender(), message.clientId()));
    Envelopes.Try stored = sent == null ? null : sent.stored().orElse(null);
    if (sent == null || stored == null || sent.acked == Envelopes.Sent.NEVER) {
      return;
    }
    queues
        .owners()
        .forEach(
            (device, owner) -> {
              if (owner.since() < stored.began()
                  && queues.end(device) > sent.acked
                  && !stored.devices().contains(device)
                  && isIn(owner.account(), message)) {
                findings.add(
                    Invariant.DEVICES_OF_ROOM, "%s left out %d".formatted(message, device));
              }
            });
  }

  private boolean isIn(String account, Stored message) {
    return spans.getOrDefault(new FinalMarks.Place(account, message.room()), List.of()).stream()
        .anyMatch(
            span -> span.from() < message.rev() && (span.to() == 0 || message.rev() < span.to()));
  }
}
