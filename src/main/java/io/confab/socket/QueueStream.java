package io.confab.socket;

import io.confab.feed.QueuedSend;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.ServerFrame.QueueEmpty;
import io.confab.queue.QueueCommand;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.Waiting;
import io.confab.socket.HeldSends.Held;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;

/// The queue of one device as one session gets it: every number after its position, once, in order,
/// whether it has waited or comes just now.
///
/// ```
///  a send is announced ──► LIVE: next? ──► out
///                                ahead? ──► hold; a moment later, if there is a hole: BEHIND
///                                old? ──► drop
///  BEHIND: reads pages until it has met what is announced ──► LIVE
///  too much unacknowledged ──► FULL, until something is acknowledged ──► BEHIND
/// ```
///
/// What is announced while a page is being read may or may not be in it, so it is held too. Plain
/// code; belongs to one event loop.
final class QueueStream implements Behind {
  /// Two nodes' publications overtake each other by less than this, most of the time.
  private static final Duration HOLD = Duration.ofMillis(30);

  /// When it is read again after a page that cannot be told yet, and whether one that is full has
  /// acknowledged by another way: that twice as late each time.
  private static final Duration FIRST_LOOK = Duration.ofSeconds(1);

  private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

  /// What a stream needs from its session.
  interface Owner {
    /// As of [io.confab.queue.QueueCommand.ReadQueue].
    Future<QueuePage> read(QueueSeq after);

    /// It is to be caught up.
    void behind(QueueStream stream);

    /// Whether what was read is of the database that the client knows.
    boolean isCurrent(Epoch read);

    /// An envelope went out.
    void sent(DeliveryWay way);

    /// All went out that there was in the beginning.
    void drained();
  }

  private enum State {
    BEHIND,
    /// As much is unacknowledged as may be.
    FULL,
    LIVE,
    ENDED
  }

  private final RegistrationId registration;
  private final Epoch epoch;
  private final QueueSeq end;
  private final int most;
  private final Outbound out;
  private final Owner owner;
  private final Timers timers;
  private final HeldSends held = new HeldSends();
  private State state = State.BEHIND;
  private QueueSeq position;

  /// Up to here nothing is on the way.
  private QueueSeq acknowledged;

  /// Up to here the database knows that it has arrived.
  private QueueSeq stored;

  /// The last number that there is, as far as is known.
  private QueueSeq known;

  private boolean reading;
  private boolean again;
  private boolean checking;
  private boolean looking;
  private Duration nextLook = FIRST_LOOK;
  private boolean wasEmpty;

  /// Where a stream begins.
  ///
  /// @param after the last number that the client has
  /// @param most that may be unacknowledged on the way
  record Opening(Opened opened, QueueSeq after, int most) {}

  QueueStream(Opening opening, Outbound out, Owner owner, Timers timers) {
    this.registration = opening.opened().registration();
    this.epoch = opening.opened().epoch();
    this.end = opening.opened().last();
    this.most = opening.most();
    this.position = opening.after();
    this.acknowledged = opening.after();
    this.stored = opening.opened().gone();
    this.known = opening.opened().last();
    this.out = out;
    this.owner = owner;
    this.timers = timers;
  }

  RegistrationId registration() {
    return registration;
  }

  /// Of its numbers.
  Epoch epoch() {
    return epoch;
  }

  /// Begins to send. To be called when what is announced from now on is heard.
  void begin() {
    tellEmpty();
    fallBehind();
  }

  /// Whether the client may have it.
  boolean hasSent(QueueSeq seq) {
    return !seq.isAfter(position);
  }

  /// Up to where the database knows that all has arrived.
  QueueSeq stored() {
    return stored;
  }

  /// The database knows that all up to this one has arrived.
  void acknowledged(QueueSeq upTo) {
    if (upTo.isAfter(stored)) {
      stored = upTo;
    }
    acknowledge(upTo);
    if (state == State.FULL && hasRoomForAPage()) {
      fallBehind();
    }
  }

  private void acknowledge(QueueSeq upTo) {
    if (upTo.isAfter(acknowledged)) {
      acknowledged = upTo;
      nextLook = FIRST_LOOK;
    }
  }

  private boolean hasRoom() {
    return position.value() - acknowledged.value() < most;
  }

  /// So that not a page is read for each that is acknowledged, of which nearly all is let go.
  private boolean hasRoomForAPage() {
    long left = most - (position.value() - acknowledged.value());
    return left >= Math.clamp(most / 2, 1, QueueCommand.PAGE);
  }

  /// Something was put into the queue.
  void queued(QueuedSend.Place place, byte[] tail) {
    if (state == State.ENDED || !place.seq().isAfter(position)) {
      return;
    }
    know(place.seq());
    if (state == State.LIVE && place.seq().equals(position.next())) {
      if (mayGo(place)) {
        deliver(place, tail);
        releaseHeld();
      } else {
        fallBehind();
      }
    } else if (state == State.LIVE || reading) {
      held.add(new Held(place, tail));
      if (state == State.LIVE) {
        checkSoon();
      }
    }
  }

  /// Whoever is sent nothing more may have acknowledged by another way.
  private void becomeFull() {
    state = State.FULL;
    if (!looking) {
      looking = true;
      timers.after(nextLook, this::lookAgain);
      Duration twice = nextLook.multipliedBy(2);
      nextLook = twice.compareTo(LONGEST_LOOK) < 0 ? twice : LONGEST_LOOK;
    }
  }

  private void lookAgain() {
    looking = false;
    if (state == State.FULL) {
      readOn();
    }
  }

  private boolean mayGo(QueuedSend.Place place) {
    return !place.cut() && hasRoom() && !out.isFull();
  }

  private void know(QueueSeq seq) {
    if (seq.isAfter(known)) {
      known = seq;
    }
  }

  /// Sends what is held and comes next; answers whether it is still live.
  private boolean releaseHeld() {
    for (Held next = held.next(position.next()); next != null; next = held.next(position.next())) {
      if (next.place().seq().isAfter(position)) {
        if (!mayGo(next.place())) {
          fallBehind();
          return false;
        }
        deliver(next.place(), next.tail());
      }
    }
    return true;
  }

  private void checkSoon() {
    if (!checking) {
      checking = true;
      timers.after(HOLD, this::check);
    }
  }

  private void check() {
    checking = false;
    if (state == State.LIVE && known.isAfter(position)) {
      fallBehind();
    }
  }

  /// Something may have been put into the queue unheard. Who is full gets it later.
  void look() {
    switch (state) {
      case LIVE -> fallBehind();
      case BEHIND -> again = reading;
      case FULL, ENDED -> {}
    }
  }

  /// What comes next is over, and is being ended by others.
  private void readSoon() {
    timers.after(
        FIRST_LOOK,
        () -> {
          if (state == State.BEHIND) {
            owner.behind(this);
          }
        });
  }

  private void readOn() {
    state = State.BEHIND;
    owner.behind(this);
  }

  private void fallBehind() {
    held.clear();
    if (state == State.ENDED) {
      return;
    }
    if (hasRoom()) {
      readOn();
    } else {
      becomeFull();
    }
  }

  @Override
  public Future<Boolean> catchUp() {
    if (state != State.BEHIND) {
      return Future.succeededFuture(true);
    }
    reading = true;
    again = false;
    QueueSeq wanted = known;
    return owner
        .read(position)
        .transform(
            (page, failure) -> {
              reading = false;
              if (failure == null) {
                return Future.succeededFuture(take(page, wanted));
              }
              held.clear();
              if (failure instanceof Refusal no && no.code() == ErrorCode.NOT_FOUND) {
                end();
                return Future.succeededFuture(true);
              }
              return Future.failedFuture(failure);
            });
  }

  /// Answers whether nothing is to be read now.
  ///
  /// @param wanted what was known when the read began: what the page does not have of it, there is
  ///     not
  private boolean take(QueuePage page, QueueSeq wanted) {
    if (state != State.BEHIND) {
      return true;
    }
    if (!owner.isCurrent(page.epoch())) {
      throw Refusal.unavailable("the page is of another epoch");
    }
    QueueSeq before = position;
    skipTo(page.gone());
    for (Waiting next : page.envelopes()) {
      if (next.seq().isAfter(position)) {
        if (!hasRoom()) {
          held.clear();
          becomeFull();
          return true;
        }
        if (out.isFull()) {
          return false;
        }
        deliver(next);
      }
    }
    if (page.last().isAfter(position)) {
      if (position.equals(before)) {
        readSoon();
        return true;
      }
      return false;
    }
    if (again) {
      return false;
    }
    if (!known.isAfter(wanted)) {
      known = position;
    }
    state = State.LIVE;
    if (releaseHeld() && known.isAfter(position)) {
      checkSoon();
    }
    return true;
  }

  /// The device has acknowledged more by another way.
  private void skipTo(QueueSeq gone) {
    if (gone.isAfter(position)) {
      position = gone;
      tellEmpty();
    }
    acknowledge(gone);
    if (gone.isAfter(stored)) {
      stored = gone;
    }
  }

  private void deliver(QueuedSend.Place place, byte[] tail) {
    out.send(EnvelopeFrames.head(place.seq(), place.body()), tail);
    passed(place.seq(), DeliveryWay.LIVE);
  }

  private void deliver(Waiting envelope) {
    out.send(envelope.head(), envelope.tail());
    passed(envelope.seq(), DeliveryWay.READ);
  }

  private void passed(QueueSeq seq, DeliveryWay way) {
    position = seq;
    owner.sent(way);
    tellEmpty();
  }

  private void tellEmpty() {
    if (!wasEmpty && !end.isAfter(position)) {
      wasEmpty = true;
      out.send(new QueueEmpty(end));
      owner.drained();
    }
  }

  void end() {
    state = State.ENDED;
    held.clear();
  }
}
