package io.confab.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Who was told what after his sign-in was over.
///
/// A session may go on for as long as the revocation says. While a fault of its node, of the node
/// that was asked, or of what all nodes use lasts, that time does not run: it begins anew when the
/// fault ends. That a node stood still is such a fault. When something that arrives was first asked
/// for decides, not when it arrives: a network may hold back what a node sent in time.
final class RevocationRules {
  private final Sends sends;
  private final List<Entry> history;
  private final Findings findings;
  private final List<Fault> faults = new ArrayList<>();
  private final Set<String> nodes = new HashSet<>();
  private final Map<String, String> connected = new HashMap<>();
  private final Map<String, String> viewers = new HashMap<>();
  private final Map<String, String> senders = new HashMap<>();
  private final Map<String, Ended> ended = new HashMap<>();

  private record Fault(String target, long began, long ended) {}

  /// @param node of the session that was open then; empty: there was none
  private record Ended(Entry.Revoked revoked, String node, long deadline) {
    Ended closed() {
      return new Ended(revoked, "", deadline);
    }
  }

  RevocationRules(Sends sends, List<Entry> history, Findings findings) {
    this.sends = sends;
    this.history = history;
    this.findings = findings;
  }

  void check() {
    faults();
    history.forEach(this::take);
    ended.values().forEach(this::stillOpen);
  }

  private void faults() {
    Map<String, Entry.FaultBegan> open = new HashMap<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.Connected began -> nodes.add(began.node());
        case Entry.FaultBegan began -> open.put(began.name() + " " + began.target(), began);
        case Entry.FaultEnded over -> {
          Entry.FaultBegan began = open.remove(over.name() + " " + over.target());
          if (began != null) {
            faults.add(new Fault(over.target(), began.t(), over.t()));
          }
        }
        case Entry.StoodStill still ->
            faults.add(new Fault(still.node(), still.since(), still.t()));
        default -> {}
      }
    }
    open.values().forEach(f -> faults.add(new Fault(f.target(), f.t(), Long.MAX_VALUE)));
    faults.sort((a, b) -> Long.compare(a.began(), b.began()));
  }

  private void take(Entry entry) {
    switch (entry) {
      case Entry.Connected began -> connected(began);
      case Entry.Disconnected over -> {
        connected.remove(over.client());
        if (over.code() != Entry.BY_ITSELF) {
          ended.computeIfPresent(over.client(), (_, e) -> e.closed());
        }
      }
      case Entry.Revoked revoked -> revoked(revoked);
      case Entry.SignedIn anew -> {
        Ended before = ended.remove(anew.client());
        if (before != null) {
          stillOpen(before);
        }
      }
      case Entry.LetIn in -> letIn(in);
      case Entry.ViewBegan began -> viewers.put(began.view(), began.client());
      case Entry.SendBegan began -> senders.put(began.client(), began.sender());
      case Entry.Received received ->
          served(
              viewers.getOrDefault(received.view(), ""),
              new Sends.Key(received.sender(), received.clientId()),
              received);
      case Entry.Acked acked ->
          served(
              acked.client(),
              new Sends.Key(senders.getOrDefault(acked.client(), ""), acked.clientId()),
              acked);
      default -> {}
    }
  }

  /// It may have been welcomed before, and has to be closed too.
  private void connected(Entry.Connected began) {
    connected.put(began.client(), began.node());
    ended.computeIfPresent(
        began.client(),
        (_, e) -> new Ended(e.revoked(), began.node(), deadline(e.revoked(), began.node())));
  }

  private void revoked(Entry.Revoked revoked) {
    String node = connected.getOrDefault(revoked.client(), "");
    ended.putIfAbsent(revoked.client(), new Ended(revoked, node, deadline(revoked, node)));
  }

  private long deadline(Entry.Revoked revoked, String node) {
    long deadline = revoked.t() + revoked.within();
    for (Fault fault : faults) {
      boolean matters =
          revoked.by().isEmpty()
              || !nodes.contains(fault.target())
              || fault.target().equals(node)
              || fault.target().equals(revoked.by());
      if (matters && fault.began() <= deadline && fault.ended() >= revoked.t()) {
        deadline =
            fault.ended() == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(deadline, fault.ended() + revoked.within());
      }
    }
    return deadline;
  }

  private void letIn(Entry.LetIn in) {
    Ended over = ended.get(in.client());
    if (over != null && in.asked() > over.revoked().t()) {
      findings.add(Invariant.REVOKED_SERVED_NO_MORE, "%s after %s".formatted(in, over.revoked()));
    }
  }

  private void served(String client, Sends.Key key, Entry with) {
    Ended over = ended.get(client);
    Sends.Send send = over == null ? null : sends.all().get(key);
    if (over != null && send != null && send.began() > over.deadline()) {
      findings.add(
          Invariant.REVOKED_SERVED_NO_MORE,
          "%s, which began %d ms after %s"
              .formatted(with, (send.began() - over.revoked().t()) / 1_000_000, over.revoked()));
    }
  }

  private void stillOpen(Ended over) {
    if (!over.node().isEmpty()) {
      findings.add(
          Invariant.REVOKED_SERVED_NO_MORE,
          "the session with %s was not closed after %s".formatted(over.node(), over.revoked()));
    }
  }
}
