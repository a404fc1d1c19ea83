package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.EventSource;
import io.confab.feed.RoomFeeds;
import io.confab.feed.Visibility;
import io.confab.listener.SharedBound;
import io.confab.protocol.AccountId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.RoomAdded;
import io.confab.protocol.ServerFrame.RoomRemoved;
import io.confab.room.RoomCommand.GetRoom;
import io.confab.room.RoomCommand.Memberships;
import io.confab.room.RoomCommand.ReadMemberships;
import io.confab.socket.KnownRooms.Known;
import io.confab.socket.RoomStream.Reader;
import io.confab.time.Retries;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rooms of one session: which it knows, and the streams of those it follows.
final class RoomStreams implements RoomStream.Owner, PassedEvents.Owner {

  /// What the rooms of a session need from their event loop.
  ///
  /// @param mostReplayed events of a room that are told to whom missed them
  record StreamContext(
      Requests bus,
      RoomFeeds feeds,
      EventSource source,
      Retries retries,
      SharedBound early,
      UnreadLooks unread,
      LoopSeats seats,
      int most,
      int mostReplayed) {}

  private final AccountId account;
  private final Outbound out;
  private final StreamContext context;

  private final KnownRooms known;
  private final Map<RoomId, RoomStream> streams = new HashMap<>();
  private final CatchUp catchUp;
  private final SessionMarkers markers;
  private final Runnable compareAgain;
  private final EarlyNotices early;
  private final SessionSeats seats;
  private final PassedEvents passed;

  /// That of every position that the client was told.
  private Epoch epoch = new Epoch(0);

  /// How many of its memberships have ended.
  private long ends;

  private boolean closed;

  /// @param known none yet
  /// @param compareAgain called when a look failed, so that [#compare] makes up for it
  RoomStreams(
      AccountId account,
      Outbound out,
      StreamContext context,
      KnownRooms known,
      SessionMarkers markers,
      Runnable compareAgain) {
    this.account = account;
    this.out = out;
    this.context = context;
    this.known = known;
    this.markers = markers;
    this.compareAgain = compareAgain;
    this.early = new EarlyNotices(out, context.early(), context.most());
    this.catchUp = new CatchUp(out, context.retries());
    this.seats = new SessionSeats(account, context.seats(), out);
    this.passed = new PassedEvents(account, context.source(), context.mostReplayed(), out, this);
  }

  void welcomed(Memberships memberships) {
    epoch = memberships.epoch();
    known.welcomed(memberships);
    markers.welcomed(memberships);
  }

  /// Tells which rooms the account is in as far as is known, and which ones come and go.
  void watch(KnownRooms.Watcher watcher) {
    known.watch(watcher);
  }

  void unwatch() {
    known.unwatch();
  }

  Set<RoomId> withoutStream() {
    return known.without(streams.keySet());
  }

  boolean isStreaming(RoomId room) {
    return streams.containsKey(room);
  }

  /// Makes sure that the account is a member who may go on from this rev; false when it is not.
  /// A rev beyond what is known of the membership may lie behind its end: then it is looked at
  /// anew.
  Future<Boolean> admit(RoomId room, Rev from) {
    Known membership = known.get(room);
    if (membership != null && !from.isAfter(membership.memberAt())) {
      return Future.succeededFuture(true);
    }
    return look(room)
        .map(
            found -> {
              found.ifPresentOrElse(this::add, () -> forget(room, membership));
              return known.contains(room);
            });
  }

  private boolean forget(RoomId room, @Nullable Known asked) {
    boolean was = known.forget(room, asked);
    if (was) {
      ends++;
      seats.forget(room);
      markers.forget(room);
    }
    return was;
  }

  /// It may be another membership than the one that was known.
  private void add(Room room) {
    known.add(room);
    markers.begun(room.roomId());
  }

  /// Follows known rooms without sending anything yet; done when it is known where they stand.
  Future<List<RoomStream>> attach(List<RoomId> rooms) {
    return begin(rooms)
        .compose(
            begun -> Future.all(begun.stream().map(RoomStream::whenReady).toList()).map(begun));
  }

  private Future<List<RoomStream>> begin(List<RoomId> rooms) {
    List<RoomId> limited = rooms.stream().filter(known::isLimited).toList();
    if (limited.isEmpty()) {
      return begin(rooms, new Visibilities(List.of()));
    }
    Map<RoomId, Known> asked = known.copy();
    return context
        .source()
        .visibilities(account, limited)
        .compose(
            visibilities ->
                rooms.stream().allMatch(room -> known.isStill(asked.get(room), room))
                    ? begin(rooms, visibilities)
                    : begin(rooms)); // they may be those of memberships that ended meanwhile
  }

  /// @param visibilities of the rooms of which the account does not see all
  private Future<List<RoomStream>> begin(List<RoomId> rooms, Visibilities visibilities) {
    Map<RoomId, Visibility> limits = visibilities.byRoom();
    List<RoomStream> begun = new ArrayList<>();
    if (isOutlived(context.feeds().epoch())) {
      return Future.failedFuture(Refusal.unavailable("the database has another epoch"));
    }
    for (RoomId room : rooms) {
      Known membership = known.get(room);
      if (membership != null && !streams.containsKey(room) && !closed) {
        Visibility visibility =
            membership.seesAll() ? Visibility.ALL : limits.getOrDefault(room, Visibility.NOTHING);
        begun.add(
            attach(
                room, new Reader(account, membership.memberAt(), visibility, membership.seats())));
      }
    }
    return Future.succeededFuture(begun);
  }

  /// A client that knows positions of an older epoch has to come anew.
  private boolean isOutlived(Epoch told) {
    context.feeds().enter(told);
    if (told.isAfter(epoch)) {
      out.close(CloseCode.RESYNC, "the epoch is " + told);
    }
    return told.isAfter(epoch);
  }

  private RoomStream attach(RoomId room, Reader reader) {
    RoomStream stream = new RoomStream(reader, room, out, this);
    streams.put(room, stream);
    stream.subscribed(context.feeds().attach(room, stream));
    return stream;
  }

  Future<Void> refresh(List<RoomId> rooms) {
    return context.feeds().refresh(rooms);
  }

  /// The answer to `resume` says that the room is there; that it came or went before stands in its
  /// log.
  void named(RoomId room) {
    early.forget(room);
  }

  /// From now on room events may be sent; first comes what came about since `welcome`. What the
  /// account has in rooms with a capacity is taken up, of each once.
  void open() {
    early.open();
    seats.open(known.capped());
  }

  /// Signals may have been missed.
  void missedSeats() {
    seats.missed();
  }

  /// How the account stands in the room changed.
  ///
  /// @param news for the client, if there are any
  void seat(RoomId room, @Nullable ServerFrame news) {
    seats.tell(news);
    RoomStream stream = streams.get(room);
    if (stream != null) {
      stream.goOn();
    }
  }

  @Override
  public boolean isInside(RoomId room) {
    return seats.isInside(room);
  }

  /// What it passed over may have changed who may read the room, or ended the membership.
  @Override
  public void stands(RoomStream stream) {
    live(stream);
    passed.lookAtRule(stream);
  }

  @Override
  public void goesOn(RoomStream stream) {
    passed.goOn(stream);
  }

  /// Looks whether the account is in the room, after a signal said that this changed, and brings
  /// the client up to date.
  void recheck(RoomId room, LeaveReason reason) {
    look(room, reason).onFailure(_ -> compareAgain.run());
  }

  private Future<?> look(RoomId room, LeaveReason reason) {
    Known asked = known.get(room);
    return look(room).onSuccess(found -> apply(room, asked, found, reason));
  }

  /// As of [PassedEvents#review].
  Future<Void> review(List<RoomStream> skipping) {
    return passed.review(skipping);
  }

  @Override
  public void dropped(RoomStream stream) {
    if (forget(stream)) {
      recheck(stream.room(), LeaveReason.REMOVED); // it may have begun again meanwhile
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public Epoch epoch() {
    return epoch;
  }

  @Override
  public Future<Void> untilDone(Supplier<Future<?>> attempt) {
    return context.retries().untilDone(() -> closed ? Future.succeededFuture() : attempt.get());
  }

  private void apply(RoomId room, @Nullable Known asked, Optional<Room> found, LeaveReason reason) {
    if (closed || found.filter(view -> isOutlived(view.epoch())).isPresent()) {
      return;
    }
    if (streams.containsKey(room)) {
      context.feeds().refresh(room); // its end, if it has ended, stands in the room's log
    } else if (found.isPresent() && !known.contains(room)) {
      add(found.get());
      early.whenOpen(room, EarlyNotices.bytes(found.get()), () -> added(found.get()));
    } else if (found.isEmpty() && forget(room, asked)) {
      early.whenOpen(room, EarlyNotices.BYTES, () -> out.send(new RoomRemoved(room, reason)));
    }
  }

  private void added(Room room) {
    out.send(new RoomAdded(room));
    if (room.capacity() != null) {
      seats.open(List.of(room.roomId()));
    }
    follow(room.roomId());
  }

  private void follow(RoomId room) {
    untilDone(() -> begin(List.of(room)).onSuccess(begun -> begun.forEach(this::openWhenReady)));
  }

  /// Being ready is waited for apart from the try: a stream that ends before never is.
  private void openWhenReady(RoomStream stream) {
    stream.whenReady().onSuccess(_ -> stream.open(stream.position()));
  }

  /// Compares with the database, as signals may have been missed. Fails when not all was looked up.
  Future<?> compare() {
    return context
        .bus()
        .request(new ReadMemberships(account, context.most()))
        .compose(
            now ->
                isOutlived(now.epoch())
                    ? Future.succeededFuture()
                    : Future.all(
                        known.differing(now, streams.keySet()).stream()
                            .map(room -> look(room, LeaveReason.REMOVED))
                            .toList()));
  }

  /// Anew where it may be from before an end that was met meanwhile.
  @Override
  public Future<Optional<Room>> look(RoomId room) {
    long before = ends;
    return context
        .bus()
        .request(new GetRoom(account, room))
        .map(view -> Optional.of(view.room()).filter(r -> r.role() != null))
        .recover(Refusals.absentWhenNotFound())
        .compose(
            found ->
                found.isPresent() && ends != before ? look(room) : Future.succeededFuture(found));
  }

  @Override
  public void behind(RoomStream stream) {
    catchUp.add(() -> stream.catchUp(context.source()));
  }

  @Override
  public void ended(RoomStream stream, LeaveReason reason) {
    if (forget(stream)) {
      out.send(new RoomRemoved(stream.room(), reason));
      recheck(stream.room(), reason); // it may have begun again meanwhile
    }
  }

  @Override
  public void live(RoomStream stream) {
    RoomId room = stream.room();
    if (markers.isUnlooked(room)) {
      untilDone(() -> markers.look(room));
    } else {
      markers.live(room);
    }
  }

  @Override
  public void changed(RoomStream stream, Seq seq) {
    context.unread().changed(account, stream.room(), seq);
  }

  /// Answers whether it was followed until now: a look may find an end after the stream has met it,
  /// when the membership may have begun again.
  private boolean forget(RoomStream stream) {
    stream.end();
    if (!streams.remove(stream.room(), stream)) {
      return false;
    }
    ends++;
    known.remove(stream.room());
    markers.forget(stream.room());
    detach(stream);
    seats.ended(stream.room());
    return true;
  }

  private void detach(RoomStream stream) {
    Optional.ofNullable(stream.subscription()).ifPresent(context.feeds()::detach);
  }

  void close() {
    closed = true;
    streams.values().forEach(RoomStream::end);
    streams.values().forEach(this::detach);
    streams.clear();
    catchUp.close();
    early.close();
  }
}
