package io.confab.ledger;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What views received: each in itself, against one another and against what is stored.
final class ViewRules {
  private final Sends sends;
  private final Map<String, FinalRead> rooms;
  private final Findings findings;
  private final Map<String, View> views = new LinkedHashMap<>();
  private final Map<At, Entry.Received> told = new HashMap<>();
  private final Map<At, Stored> stored = new HashMap<>();

  private record At(String room, long epoch, long rev) {}

  /// How far a view is, and what it holds of messages that were changed.
  private static final class View {
    final String room;
    long epoch;
    long rev;
    boolean open = true;
    final Map<Long, String> bodies = new HashMap<>();

    View(String room, long epoch, long rev) {
      this.room = room;
      this.epoch = epoch;
      this.rev = rev;
    }
  }

  ViewRules(Sends sends, Map<String, FinalRead> rooms, Findings findings) {
    this.sends = sends;
    this.rooms = rooms;
    this.findings = findings;
    rooms
        .values()
        .forEach(
            room ->
                room.messages()
                    .forEach(m -> stored.put(new At(m.room(), room.epoch(), m.rev()), m)));
  }

  void check(List<Entry> history) {
    for (Entry entry : history) {
      switch (entry) {
        case Entry.ViewBegan began ->
            views.put(began.view(), new View(began.room(), began.epoch(), began.rev()));
        case Entry.ViewReset reset -> reset(reset);
        case Entry.Received received -> received(received);
        case Entry.ViewEnded ended -> {
          View view = views.get(ended.view());
          if (view != null) {
            view.open = false;
          }
        }
        default -> {}
      }
    }
    views.forEach(this::checkEnd);
  }

  private void reset(Entry.ViewReset reset) {
    View view = views.get(reset.view());
    if (view != null) {
      view.epoch = reset.epoch();
      view.rev = reset.rev();
      view.bodies.clear();
    }
  }

  private void received(Entry.Received received) {
    View view = views.get(received.view());
    if (view == null || !view.open || !view.room.equals(received.room())) {
      findings.add(Invariant.VIEW_IN_ORDER, "no such view is open: %s".formatted(received));
      return;
    }
    if (received.epoch() != view.epoch || received.rev() != view.rev + 1) {
      findings.add(
          Invariant.VIEW_IN_ORDER,
          "after epoch %d rev %d came %s".formatted(view.epoch, view.rev, received));
    }
    view.rev = received.rev();
    if (received.kind().equals(Entry.HIDDEN)) {
      return;
    }
    checkContent(received);
    if (received.seq() > 0 && sends.isChanged(received.room(), received.seq())) {
      view.bodies.put(received.seq(), received.bodyHash());
    }
  }

  private void checkContent(Entry.Received received) {
    At number = new At(received.room(), received.epoch(), received.rev());
    Entry.Received other = told.putIfAbsent(number, received);
    if (other != null && !isSame(other, received)) {
      findings.add(Invariant.ONE_TRUTH, "%s, but %s".formatted(other, received));
    }
    Stored message = stored.get(number);
    FinalRead room = rooms.get(received.room());
    boolean said = received.kind().equals(Entry.MESSAGE) || received.kind().equals(Entry.SEALED);
    if (received.kind().equals(Entry.MESSAGE)) {
      checkSaid(received);
    }
    if (room == null || room.epoch() != received.epoch()) {
      return;
    }
    if (said != (message != null) || (message != null && !isSame(message, received))) {
      findings.add(
          Invariant.ONE_TRUTH,
          "%s, but stored is %s".formatted(received, message == null ? "-" : message));
    }
  }

  private void checkSaid(Entry.Received received) {
    Sends.Send send = sends.all().get(new Sends.Key(received.sender(), received.clientId()));
    if (send == null
        || !send.room().equals(received.room())
        || !sends.hadBody(send, received.room(), received.seq(), received.bodyHash())) {
      findings.add(Invariant.NOTHING_MADE_UP, "%s was never sent so".formatted(received));
    }
  }

  /// A body may be another one: a message is told as it stands when it is read.
  private static boolean isSame(Entry.Received a, Entry.Received b) {
    return a.kind().equals(b.kind())
        && a.seq() == b.seq()
        && a.sender().equals(b.sender())
        && a.clientId().equals(b.clientId());
  }

  /// Of a message of a sealed room only the number is told.
  private static boolean isSame(Stored stored, Entry.Received received) {
    return stored.seq() == received.seq()
        && (received.kind().equals(Entry.SEALED)
            || (stored.sender().equals(received.sender())
                && stored.clientId().equals(received.clientId())));
  }

  private void checkEnd(String name, View view) {
    FinalRead room = rooms.get(view.room);
    if (room == null || !view.open) {
      return;
    }
    if (view.epoch != room.epoch() || view.rev != room.rev()) {
      findings.add(
          Invariant.VIEW_COMPLETE,
          "%s ends at epoch %d rev %d, room %s at epoch %d rev %d"
              .formatted(name, view.epoch, view.rev, view.room, room.epoch(), room.rev()));
      return;
    }
    for (Stored message : room.messages()) {
      String body = view.bodies.get(message.seq());
      if (body != null && !body.equals(message.bodyHash())) {
        findings.add(
            Invariant.ONE_TRUTH, "%s ends with body '%s' of %s".formatted(name, body, message));
      }
    }
  }
}
