package io.confab.socket;

import io.confab.feed.Event;
import io.confab.feed.EventSource;
import io.confab.feed.RoomSignal;
import io.confab.feed.Subscriber;
import io.confab.feed.Subscription;
import io.confab.feed.Visibility;
import io.confab.protocol.AccountId;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One room as one session gets it: every rev after its position, once, in order, until the
/// account's membership ends.
///
/// In a room that is read inside only it stands still while the account is outside, and goes on
/// from there.
///
/// A stream is *live* when it has all that its feed has released, and takes what the feed releases
/// next. Otherwise it is *behind*: it ignores the feed and reads pages until it has met it.
/// Both ends of that change happen on the same event loop as the feed, so nothing falls in
/// between; should it happen, the next rev is not the stream's next, and the stream is behind.
final class RoomStream implements Subscriber {
  private static final int LARGEST_PAGE = 200;
  private static final int SMALLEST_PAGE = 4;

  /// The session of a stream.
  interface Owner {
    void behind(RoomStream stream);

    void ended(RoomStream stream, LeaveReason reason);

    /// It has all that came before.
    void live(RoomStream stream);

    /// Whether the account is known to have a seat in the room.
    boolean isInside(RoomId room);

    /// It stands still, because the account is outside.
    void stands(RoomStream stream);

    /// It stood still and may go on: from where it stands, or from where the owner says.
    void goesOn(RoomStream stream);

    /// A message was edited or deleted so that more or less may be unread.
    void changed(RoomStream stream, Seq seq);
  }

  private enum State {
    WAITING,
    BEHIND,
    LIVE,
    /// The account is outside of a room that is read inside only.
    OUTSIDE,
    ENDED
  }

  private final AccountId account;
  private final Rev memberAt;
  private final SeatRule seats;
  private final RoomId room;
  private final Outbound out;
  private final Owner owner;
  private Visibility visibility;
  private boolean seesAll;
  private Rev position;
  private State state = State.WAITING;
  private boolean isReady;

  /// Of those who wait until it is ready.
  private @Nullable Promise<Void> ready;

  /// Who resumes reads what is unread anew: what came before is not told.
  private boolean wasLive;

  /// How many events are asked for at once: fewer where they are so large that the socket is
  /// full before.
  private int page = LARGEST_PAGE;

  private @Nullable Subscription subscription;

  /// For whom a stream is.
  ///
  /// @param memberAt a rev at which the account was a member: what ended before does not matter
  /// @param seats what the room asked for at that rev
  record Reader(AccountId account, Rev memberAt, Visibility visibility, SeatRule seats) {}

  RoomStream(Reader reader, RoomId room, Outbound out, Owner owner) {
    this.account = reader.account();
    this.memberAt = reader.memberAt();
    this.seats = reader.seats();
    this.room = room;
    this.position = memberAt;
    this.visibility = reader.visibility();
    this.seesAll = visibility.showsAll();
    this.out = out;
    this.owner = owner;
  }

  RoomId room() {
    return room;
  }

  Rev position() {
    return position;
  }

  Rev head() {
    return subscription == null ? Rev.ZERO : subscription.head();
  }

  /// The last rev that the room is known to have; what is above [#head] is on its way.
  Rev known() {
    return subscription == null ? Rev.ZERO : subscription.known();
  }

  void subscribed(Subscription to) {
    subscription = to;
  }

  @Nullable Subscription subscription() {
    return subscription;
  }

  /// Done when it is known where the room stands.
  Future<Void> whenReady() {
    if (isReady) {
      return Future.succeededFuture();
    }
    Promise<Void> awaited = ready == null ? Promise.promise() : ready;
    ready = awaited;
    return awaited.future();
  }

  @Override
  public void ready() {
    Promise<Void> awaited = ready;
    isReady = true;
    ready = null;
    if (awaited != null) {
      awaited.complete();
    }
  }

  /// What its reader may see, looked up anew.
  void look(Visibility now) {
    visibility = now;
    seesAll = now.showsAll();
  }

  /// Begins to send what comes after `after`.
  void open(Rev after) {
    if (state != State.ENDED) {
      position = after;
      fallBehind();
    }
  }

  @Override
  public void event(Event event) {
    boolean stops = state == State.LIVE && !mayRead();
    if (stops) {
      state = State.OUTSIDE;
    }
    if (state == State.OUTSIDE) {
      passOutside(event);
      if (stops && state == State.OUTSIDE) {
        owner.stands(this);
      }
      return;
    }
    if (state != State.LIVE) {
      return;
    }
    if (event.rev().isAfter(position.next()) || out.isFull()) {
      fallBehind();
    } else {
      deliver(event);
    }
  }

  /// Of what happens while it stands still its reader hears nothing but the end of the membership,
  /// and how much is unread.
  private void passOutside(Event event) {
    seats.pass(event);
    if (ends(event)) {
      return;
    }
    if (event.subject() instanceof Event.OfChange(Seq seq, _, boolean recounts) && recounts) {
      owner.changed(this, seq);
    }
    goOn();
  }

  /// What the settings of the room are at a rev.
  void look(Rev rev, boolean capped, boolean insideOnly) {
    seats.look(rev, capped, insideOnly);
    goOn();
  }

  /// Goes on if it stands still and need not.
  void goOn() {
    if (state == State.OUTSIDE && mayRead()) {
      owner.goesOn(this);
    }
  }

  /// The rev up to which it is known whether it needs a seat.
  Rev ruledAt() {
    return seats.at();
  }

  boolean mayRead() {
    return !seats.isInsideOnly() || owner.isInside(room);
  }

  boolean isOutside() {
    return state == State.OUTSIDE;
  }

  private void standStill() {
    state = State.OUTSIDE;
    owner.stands(this);
  }

  @Override
  public void missed() {
    if (state == State.LIVE) {
      fallBehind();
    } else if (state == State.OUTSIDE) {
      owner.stands(this);
    }
  }

  private void fallBehind() {
    state = State.BEHIND;
    owner.behind(this);
  }

  /// A signal is dropped where an event would have to wait.
  @Override
  public void signal(RoomSignal signal) {
    if (state == State.LIVE && signal.isFor(account) && mayRead() && !out.isFull()) {
      out.send(signal);
    }
  }

  /// Sends the next page of what is missing, as much of it as the socket takes; answers whether
  /// the stream is live (or over) now. A page of another epoch is a failure: of that one the
  /// client is not told on this socket.
  Future<Boolean> catchUp(EventSource source) {
    Subscription followed = subscription;
    if (state != State.BEHIND || followed == null) {
      return Future.succeededFuture(true);
    }
    if (!mayRead()) {
      standStill();
      return Future.succeededFuture(true);
    }
    List<Event> recent = followed.since(position);
    if (recent != null) {
      if (deliver(recent) && state == State.BEHIND) {
        state = State.LIVE;
        wasLive = true;
        owner.live(this);
      }
      return Future.succeededFuture(state != State.BEHIND);
    }
    Rev stood = followed.head();
    return source
        .read(room, position, page)
        .map(
            read -> {
              if (!read.epoch().equals(followed.epoch())) {
                throw Refusal.unavailable("the page is of another epoch");
              }
              followed.remember(stood, read.events());
              boolean whole = deliver(read.events());
              page = whole ? Math.min(2 * page, LARGEST_PAGE) : Math.max(page / 2, SMALLEST_PAGE);
              return state != State.BEHIND;
            });
  }

  /// Answers whether the socket took all of them.
  private boolean deliver(List<Event> events) {
    for (Event event : events) {
      if (event.rev().isAfter(position) && out.isFull()) {
        return false;
      }
      deliver(event);
    }
    return true;
  }

  private void deliver(Event event) {
    if (state == State.ENDED || state == State.OUTSIDE || !event.rev().isAfter(position)) {
      return;
    }
    if (ends(event)) {
      return;
    }
    if (!mayRead()) {
      standStill();
    } else {
      seats.pass(event);
      out.send(event, seesAll || visibility.shows(event));
      position = event.rev();
      if (wasLive
          && event.subject() instanceof Event.OfChange(Seq seq, _, boolean recounts)
          && recounts) {
        owner.changed(this, seq);
      }
    }
  }

  /// Whether the membership is over with this event; then so is the stream.
  private boolean ends(Event event) {
    if (event.subject() instanceof Event.Departure(AccountId who, LeaveReason reason)
        && who.equals(account)
        && event.rev().isAfter(memberAt)) {
      state = State.ENDED;
      owner.ended(this, reason);
      return true;
    }
    return false;
  }

  void end() {
    state = State.ENDED;
  }

  boolean isOver() {
    return state == State.ENDED;
  }
}
