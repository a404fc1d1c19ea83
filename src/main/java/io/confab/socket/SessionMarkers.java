package io.confab.socket;

import io.confab.account.ChangeCount;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.MarkerMoved;
import io.confab.feed.AccountSignal.OthersRead;
import io.confab.feed.AccountSignal.UnreadChanged;
import io.confab.marker.MarkerCommand.Markers;
import io.confab.marker.MarkerCommand.ReadMarker;
import io.confab.marker.MarkerCommand.ReadMarkers;
import io.confab.marker.MarkerCommand.RoomMarks;
import io.confab.protocol.AccountId;
import io.confab.protocol.Marks;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.Receipt;
import io.confab.protocol.SessionId;
import io.confab.room.RoomCommand.Memberships;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Tells one session how the markers of its account stand and what others have read of its
/// messages. Of a room that is not live yet it keeps the newest and tells it once the session has
/// what it missed there; of one that is live, when a full socket has drained. What nodes tell each
/// other of a room has no order with its log: of a membership that the session finds after
/// `welcome` nothing is told until its room is live, and then what a look finds; and what may be of
/// the one before never. Belongs to one event loop.
final class SessionMarkers {
  private static final String DELIVERED = "delivered";
  private static final String READ = "read";

  private final AccountId account;
  private final SessionId session;
  private final Outbound out;
  private final KnownRooms rooms;
  private final Loop loop;

  /// Those of a membership that the session found after `welcome`, until they are looked at.
  private final Set<RoomId> unlooked = new LazySet<>();

  /// Of rooms that are not live, and of those that a full socket did not take.
  private final Map<RoomId, Marks> kept = new LazyMap<>();

  /// Of the kept rooms those that are live.
  private final Set<RoomId> untold = new LazySet<>();

  /// Of the markers that moved last.
  private final NewestRooms<Long> versions = new NewestRooms<>();

  /// Unread counts that a full socket did not take, the last one of each room.
  private final Map<RoomId, UnreadChanged> untoldCounts = new LazyMap<>();

  /// Of the unread counts that came last.
  private final NewestRooms<Long> countVersions = new NewestRooms<>();

  /// What was told of the session's messages last.
  private final NewestRooms<Told> told = new NewestRooms<>();

  private record Told(Seq read, Seq received) {
    private static final Told NOTHING = new Told(Seq.ZERO, Seq.ZERO);
  }

  private ChangeCount compared;
  private boolean missed;
  private boolean draining;

  /// The event loop, and whom it asks.
  interface Loop extends Requests {
    /// Has it look how often the account has changed, and call [SessionMarkers#compare].
    void compareAgain();

    /// Has it tell the account what is unread in a room.
    void recount(RoomId room);
  }

  /// @param at the count that `welcome` includes
  /// @param rooms those that the session knows
  SessionMarkers(
      AccountId account,
      SessionId session,
      Outbound out,
      ChangeCount at,
      KnownRooms rooms,
      Loop loop) {
    this.account = account;
    this.session = session;
    this.out = out;
    this.compared = at;
    this.rooms = rooms;
    this.loop = loop;
  }

  void welcomed(Memberships memberships) {
    memberships.rooms().forEach(room -> kept.put(room.room(), room.marks()));
  }

  /// The session found a membership, perhaps after another one.
  void begun(RoomId room) {
    forget(room);
    unlooked.add(room);
  }

  /// Whether the room is to be looked at once it is live.
  boolean isUnlooked(RoomId room) {
    return unlooked.contains(room);
  }

  /// The session has what it missed in the room.
  void live(RoomId room) {
    if (kept.containsKey(room)) {
      untold.add(room);
      tellUntold();
    }
  }

  private void tellUntold() {
    while (!untold.isEmpty() && !out.isFull()) {
      RoomId room = untold.iterator().next();
      untold.remove(room);
      tell(room, Objects.requireNonNull(kept.remove(room)));
    }
    if (!untold.isEmpty()) {
      awaitRoom();
    }
  }

  /// The socket is full. One that is being closed stays so, and never drains.
  private void awaitRoom() {
    if (draining) {
      return;
    }
    Future<Void> taken = out.drained();
    if (!taken.isComplete()) {
      draining = true;
      taken.onComplete(_ -> drained());
    } else if (!out.isFull()) {
      drained();
    }
  }

  private void drained() {
    draining = false;
    if (missed) {
      loop.compareAgain();
    }
    tellUntold();
    tellCounts();
  }

  /// The account is not in the room any more.
  void forget(RoomId room) {
    unlooked.remove(room);
    kept.remove(room);
    untold.remove(room);
    versions.remove(room);
    told.remove(room);
    untoldCounts.remove(room);
  }

  /// Looks how the markers stand in a live room of which `welcome` did not tell.
  Future<?> look(RoomId room) {
    unlooked.remove(room);
    return ask(new ReadMarker(account, room), this::tell);
  }

  /// Meanwhile all that is told is remembered: the answer may be older.
  private Future<Markers> ask(Command<Markers> question, Consumer<Markers> answered) {
    versions.await();
    told.await();
    return loop.request(question)
        .onSuccess(answered::accept)
        .andThen(
            _ -> {
              versions.answered();
              told.answered();
            });
  }

  /// Of states that were told in another order than they came about, the last one counts.
  private boolean isNews(RoomId room, long version) {
    if (version < versions.get(room, Long.MIN_VALUE)) {
      return false;
    }
    versions.put(room, version);
    return true;
  }

  void moved(MarkerMoved moved) {
    RoomId room = moved.room();
    if (unlooked.contains(room) || !isNews(room, moved.version())) {
      return;
    }
    if (!kept.containsKey(room) && session.equals(moved.by())) {
      return;
    }
    if (moved.version() < TimeUnit.MILLISECONDS.toMicros(compared.at())) {
      missedSome();
    } else {
      now(room, new Marks(moved.read(), moved.delivered(), moved.unreadFrom(), Seq.ZERO, Seq.ZERO));
    }
  }

  /// Something came late: from before what the session was told of, or from just then.
  private void missedSome() {
    if (!missed) {
      missed = true;
      loop.compareAgain();
    }
  }

  void othersRead(OthersRead others) {
    RoomId room = others.room();
    if (unlooked.contains(room)) {
      return;
    }
    if (!rooms.isEarlier(room, others.asOf())) {
      othersRead(room, others.read(), others.delivered());
    } else if (isAhead(others)) {
      missedSome();
    }
  }

  private boolean isAhead(OthersRead others) {
    Marks before = kept.get(others.room());
    Told known =
        before == null
            ? told.get(others.room(), Told.NOTHING)
            : new Told(before.othersRead(), before.othersReceived());
    return others.read().compareTo(known.read()) > 0
        || others.delivered().compareTo(known.received()) > 0;
  }

  private void othersRead(RoomId room, Seq read, Seq received) {
    Marks before = kept.get(room);
    if (before != null) {
      kept.put(
          room,
          new Marks(
              before.read(),
              before.delivered(),
              before.unreadFrom(),
              Seq.later(before.othersRead(), read),
              Seq.later(before.othersReceived(), received)));
    } else if (out.isFull()) {
      missed = true;
      awaitRoom();
    } else {
      tellReceipt(room, read, received);
    }
  }

  /// So the account's own marker stands.
  private void now(RoomId room, Marks marks) {
    if (kept.containsKey(room)) {
      keep(room, marks);
    } else if (!out.isFull()) {
      tellOwn(room, marks);
    } else {
      missed = true;
      awaitRoom();
    }
  }

  /// With what is kept of the room already.
  private void keep(RoomId room, Marks now) {
    kept.merge(
        room,
        now,
        (before, _) ->
            new Marks(
                Seq.later(before.read(), now.read()),
                Seq.later(before.delivered(), now.delivered()),
                now.unreadFrom(),
                Seq.later(before.othersRead(), now.othersRead()),
                Seq.later(before.othersReceived(), now.othersReceived())));
  }

  /// Tells what has changed if anything has. Fails when that has to be tried again.
  Future<Void> compare(ChangeCount now) {
    if (!missed && !now.hasMovedSince(compared)) {
      return Future.succeededFuture();
    }
    missed = false;
    return ask(
            new ReadMarkers(account, compared.at()),
            found -> {
              compared = now;
              found.markers().forEach(each -> loop.recount(each.room()));
              tell(found);
            })
        .onFailure(_ -> missed = true)
        .mapEmpty();
  }

  private void tell(Markers found) {
    for (RoomMarks each : found.markers()) {
      if (unlooked.contains(each.room()) || rooms.isEarlier(each.room(), each.asOf())) {
        continue; // it is looked at when it is live, or was after this
      }
      if (isNews(each.room(), each.version())) {
        boolean live = !kept.containsKey(each.room()) || untold.contains(each.room());
        keep(each.room(), each.marks());
        if (live) {
          untold.add(each.room());
        }
      } else {
        othersRead(each.room(), each.marks().othersRead(), each.marks().othersReceived());
      }
    }
    tellUntold();
  }

  private void tell(RoomId room, Marks marks) {
    tellOwn(room, marks);
    tellReceipt(room, marks.othersRead(), marks.othersReceived());
  }

  private void tellOwn(RoomId room, Marks marks) {
    out.send(
        new ServerFrame.Marker(room, account, marks.read(), marks.delivered(), marks.unreadFrom()));
  }

  /// What was read was received: one frame, unless more was received than read. What another node
  /// has told already is not taken back by what comes later.
  private void tellReceipt(RoomId room, Seq read, Seq received) {
    Told before = told.get(room, Told.NOTHING);
    Seq known = Seq.later(before.received(), read);
    if (received.compareTo(known) > 0) {
      out.send(new Receipt(room, received, DELIVERED));
    }
    if (read.compareTo(before.read()) > 0) {
      out.send(new Receipt(room, read, READ));
    }
    Told now = new Told(Seq.later(before.read(), read), Seq.later(known, received));
    if (!now.equals(before)) {
      told.put(room, now);
    }
  }

  /// Of counts that were told in another order than they were made, the last one counts.
  void unread(UnreadChanged changed) {
    if (rooms.isEarlier(changed.room(), changed.asOf())) {
      loop.recount(changed.room());
      return;
    }
    if (changed.version() < countVersions.get(changed.room(), Long.MIN_VALUE)) {
      return;
    }
    countVersions.put(changed.room(), changed.version());
    untoldCounts.put(changed.room(), changed);
    tellCounts();
  }

  private void tellCounts() {
    while (!untoldCounts.isEmpty() && !out.isFull()) {
      UnreadChanged next = untoldCounts.entrySet().iterator().next().getValue();
      untoldCounts.remove(next.room());
      out.send(
          new ServerFrame.Unread(
              next.room(), next.unread(), next.mentions(), next.total(), next.seq()));
    }
    if (!untoldCounts.isEmpty()) {
      awaitRoom();
    }
  }
}
