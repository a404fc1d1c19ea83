package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.SeatChanged;
import io.confab.feed.GivenSeat;
import io.confab.feed.SeatNews;
import io.confab.message.Seating;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.SeatLost;
import io.confab.seat.SeatAnswers;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatCommand.Disconnected;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatState;
import io.confab.seat.SeatState.Inside;
import io.confab.seat.SeatState.Waiting;
import io.confab.socket.SeatStands.Stand;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// How the accounts that have sessions on one event loop stand in rooms with a capacity: checks in
/// for them, tells their sessions what changes, and knows who is inside.
///
/// A seat is a lease: it is honoured for [SeatCommand#LEASE] from the sending of the last command
/// that confirmed it, by a clock that only goes forward, however long the answer took. So nobody
/// is honoured for longer who lost the seat meanwhile, wherever this node was cut off or froze.
///
/// All of it can be asked for again: an account has its sessions on several loops and nodes, each
/// of which checks in for it. Belongs to its loop.
final class LoopSeats implements Seating {
  /// In a tick each room has one, so that not all check in at the same time.
  private static final int TURNS = 10;

  /// What a seat or a place takes here, about.
  private static final int BYTES = 600;

  private final Requests bus;
  private final Timers timers;
  private final LongSupplier nanoTime;
  private final Sessions sessions;
  private final long most;
  private final RandomGenerator random;
  private final SeatStands stands = new SeatStands();
  private final SeatEntries entries = new SeatEntries();
  private final SeatLooks looks;
  private final SeatCheckIns checkIns;
  private int turn;
  private boolean ticking;

  /// The sessions of the loop.
  interface Sessions {
    boolean has(AccountId account);

    /// Tells the sessions of an account, but those that were not told of their rooms yet, and has
    /// their streams of the room look whether they may go on.
    ///
    /// @param news null: nothing for the client
    /// @param but the session that is told otherwise
    void seat(
        AccountId account,
        RoomId room,
        @Nullable ServerFrame news,
        @Nullable AuthenticatedSession but);
  }

  /// @param bytes that all of it may take
  LoopSeats(Requests bus, Timers timers, LongSupplier nanoTime, Sessions sessions, long bytes) {
    this.bus = bus;
    this.timers = timers;
    this.nanoTime = nanoTime;
    this.sessions = sessions;
    this.most = bytes / BYTES;
    this.random = new SplittableRandom(nanoTime.getAsLong());
    this.looks = new SeatLooks(timers, most, this::look);
    this.checkIns =
        new SeatCheckIns(
            bus,
            nanoTime,
            stands,
            new SeatCheckIns.Listener() {
              @Override
              public void confirmed(SeatKey key, SeatState state, long sent) {
                LoopSeats.this.confirmed(key, state, sent, null);
              }

              @Override
              public void unclear(SeatKey key) {
                look(key.account(), key.room());
              }
            });
  }

  /// Whether the account is known to be inside now.
  boolean isKnownInside(AccountId account, RoomId room) {
    Stand stand = stands.get(account, room);
    if (stand == null || !(stand.state instanceof Inside)) {
      return false;
    }
    boolean lasts = stand.left(nanoTime.getAsLong()) > 0;
    stand.honoured &= lasts;
    return lasts;
  }

  @Override
  public boolean isKnownInside(AccountId account, RoomId room, Duration left) {
    Stand stand = stands.get(account, room);
    return stand != null
        && stand.state instanceof Inside
        && stand.left(nanoTime.getAsLong()) >= left.toNanos();
  }

  @Override
  public Future<Boolean> find(AccountId account, RoomId room) {
    return isKnownInside(account, room, SeatCommand.ENOUGH)
        ? Future.succeededFuture(true)
        : bus.request(new Find(room, account)).map(Inside.class::isInstance);
  }

  /// Enters for a session. Refusals: as of [Enter], and `unavailable` where too many are kept.
  ///
  /// @param answer tells the session that asks; the others are told as well
  Future<?> enter(
      AccountId account,
      RoomId room,
      @Nullable String place,
      @Nullable AuthenticatedSession session,
      Consumer<SeatState> answer) {
    SeatKey key = new SeatKey(account, room);
    Stand stand = stands.get(key.account(), room);
    if (stand == null && isFull()) {
      return Future.failedFuture(Refusal.unavailable("too many seats on this node"));
    }
    if (stand == null && !entries.has(key) && entries.isFull()) {
      return Future.failedFuture(SeatPace.crowd(random));
    }
    if (stand != null && stand.state instanceof Inside) {
      // else it would join the line where Redis has lost its seat, and nobody claimed that yet
      return checkIns
          .beat(room, List.of(key.account()))
          .transform(_ -> enter(key, session, place, answer));
    }
    String known = stand != null && stand.state instanceof Waiting it ? it.place() : null;
    return enter(key, session, place == null ? known : place, answer);
  }

  private Future<SeatState> enter(
      SeatKey key,
      @Nullable AuthenticatedSession session,
      @Nullable String place,
      Consumer<SeatState> answer) {
    long sent = nanoTime.getAsLong();
    SeatEntries.Entry mine = entries.begin(key);
    return bus.request(new Enter(key.room(), key.account(), true, place))
        .compose(state -> mine.isEnded() ? tooLate(key) : Future.succeededFuture(state))
        .onSuccess(
            state -> {
              answer.accept(state);
              confirmed(key, state, sent, session);
              if (!sessions.has(key.account())) {
                disconnected(key.account(), key.room());
              }
            })
        .onComplete(
            answered -> {
              if (entries.end(key, mine, answered.result())) {
                mine.loss().ifPresent(why -> doubt(key, why));
                look(key.account(), key.room());
              }
            });
  }

  /// It entered, but its membership had ended: it keeps nothing, unless it has come back since.
  private Future<SeatState> tooLate(SeatKey key) {
    if (stands.get(key.account(), key.room()) == null && !entries.has(key)) {
      exit(key);
    }
    return Future.failedFuture(Refusal.noSuchRoom());
  }

  /// Says whether there is something that may be lost.
  private boolean doubt(SeatKey key, SeatLoss why) {
    Stand stand = stands.get(key.account(), key.room());
    if (stand != null) {
      stand.doubt(why, nanoTime.getAsLong());
    }
    return stand != null;
  }

  private void exit(SeatKey key) {
    bus.request(new Exit(key.room(), key.account())); // else it is missed at its next check-in
  }

  private boolean isFull() {
    return stands.size() + entries.size() >= most;
  }

  private void disconnected(AccountId account, RoomId room) {
    bus.request(new Disconnected(room, account)); // else it is missed at its next check-in
  }

  /// The account left the room by itself.
  void left(AccountId account, RoomId room) {
    lost(account, room, SeatLoss.LEFT);
    if (checkIns.ended(new SeatKey(account, room))) {
      look(account, room); // it may have entered elsewhere since
    }
  }

  /// The account is no member of the room any more.
  void ended(AccountId account, RoomId room) {
    SeatKey key = new SeatKey(account, room);
    entries.membershipEnded(key);
    checkIns.ended(key);
    if (stands.remove(account, room)) {
      exit(key);
    }
  }

  /// A session begins: what the account has is taken up, and told to its sessions.
  ///
  /// @return what this one is to be told, if that is known already
  Optional<ServerFrame> resumed(AccountId account, RoomId room) {
    Stand stand = stands.get(account, room);
    if (stand != null && stand.loss == null && !(stand.toldState instanceof SeatState.Outside)) {
      return Optional.of(SeatAnswers.of(null, room, stand.state));
    }
    if (stand != null) {
      stand.untold = true;
    }
    look(account, room);
    return Optional.empty();
  }

  /// Something happened to the account in the room: by now it may be otherwise again, so that is
  /// looked at. A seat that is said to be lost is not honoured until then; one that was given to
  /// who waited is told at once.
  void changed(SeatChanged signal) {
    SeatKey key = new SeatKey(signal.account(), signal.room());
    Stand stand = stands.get(key.account(), key.room());
    SeatNews news = signal.news();
    SeatLoss loss = news == null ? null : news.loss();
    boolean isHeard = news != null && entries.hear(key, news);
    GivenSeat seat = signal.seat();
    if (loss != null && doubt(key, loss)) {
      looks.add(key.account(), key.room(), false);
    } else if (loss != null && checkIns.ended(key)) {
      look(key.account(), key.room());
    } else if (loss != null || isHeard) {
      return; // nothing is known here that it could be about, or its own call tells
    } else if (seat != null && stand != null && stand.isBefore(seat, nanoTime.getAsLong())) {
      stand.give(seat, nanoTime.getAsLong());
      tell(key, stand, null);
    } else if (stand == null || stand.loss != null || !stand.isAs(news)) {
      look(key.account(), key.room());
    }
  }

  /// Signals may have been missed.
  void missed(AccountId account, RoomId room) {
    if (stands.get(account, room) == null) {
      look(account, room); // the others check in
    }
  }

  /// The last session of the account is gone.
  void gone(AccountId account) {
    for (RoomId room : stands.roomsOf(account)) {
      stands.remove(account, room);
      disconnected(account, room);
    }
    looks.forget(account);
    checkIns.gone(account);
  }

  private void lost(AccountId account, RoomId room, SeatLoss why) {
    Stand stand = stands.get(account, room);
    if (stands.remove(account, room)) {
      boolean isTold = stand != null && stand.toldState instanceof SeatState.Outside;
      sessions.seat(account, room, isTold ? null : new SeatLost(room, why), null);
    }
  }

  private void look(AccountId account, RoomId room) {
    looks.add(account, room, true);
  }

  private void look(RoomId room, Map<AccountId, Boolean> accounts) {
    checkIns.beatAll(
        room,
        toLookAt(room, accounts),
        failed -> timers.after(SeatPace.TICK, () -> lookAgain(room, failed)));
  }

  private List<AccountId> toLookAt(RoomId room, Map<AccountId, Boolean> accounts) {
    return accounts.entrySet().stream()
        .filter(each -> each.getValue() || stands.get(each.getKey(), room) != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void lookAgain(RoomId room, List<AccountId> accounts) {
    accounts.stream().filter(sessions::has).forEach(account -> look(account, room));
  }

  /// @param by the session that was answered
  private void confirmed(
      SeatKey key, SeatState answer, long sent, @Nullable AuthenticatedSession by) {
    Stand stand = stands.get(key.account(), key.room());
    SeatState state = stand == null ? answer : stand.by(answer, sent);
    if (stand != null && stand.isUnclear(state, sent)) {
      look(key.account(), key.room());
    } else if (state instanceof SeatState.Outside) {
      lost(key.account(), key.room(), stand == null ? SeatLoss.EXPIRED : stand.why());
    } else if (stand != null) {
      stand.confirmed = Math.max(stand.confirmed, sent);
      stand.state = state;
      stand.loss = sent < stand.lossAt ? stand.loss : null;
      tell(key, stand, by);
    } else if (!isFull() && sessions.has(key.account())) {
      add(key, new Stand(state, sent), by);
    }
  }

  private void add(SeatKey key, Stand stand, @Nullable AuthenticatedSession by) {
    stands.add(key.account(), key.room(), stand);
    stand.honoured = isKnownInside(key.account(), key.room());
    tell(key, SeatAnswers.of(null, key.room(), stand.state), by);
    if (!ticking) {
      ticking = true;
      timers.after(SeatPace.TICK.dividedBy(TURNS), this::tick);
    }
  }

  private void tell(SeatKey key, @Nullable ServerFrame news, @Nullable AuthenticatedSession by) {
    sessions.seat(key.account(), key.room(), news, by);
  }

  /// Tells what is new, and positions not too often.
  private void tell(SeatKey key, Stand stand, @Nullable AuthenticatedSession by) {
    boolean honoured = isKnownInside(key.account(), key.room());
    boolean mayBeOver = stand.loss != null;
    boolean news = !mayBeOver && (stand.untold || SeatPace.isNews(stand, nanoTime.getAsLong()));
    if (news) {
      stand.untold = false;
      stand.toldState = stand.state;
      stand.told = nanoTime.getAsLong();
    }
    if (news || honoured != stand.honoured) {
      stand.honoured = honoured;
      tell(key, news ? SeatAnswers.of(null, key.room(), stand.state) : null, by);
    }
  }

  private void tick() {
    if (stands.size() == 0) {
      ticking = false;
      return;
    }
    long now = nanoTime.getAsLong();
    turn = (turn + 1) % TURNS;
    if (turn == 0) {
      giveUpLapsed(now);
    }
    stands
        .due(room -> Math.floorMod(room.hashCode(), TURNS) == turn, now, checkIns.took())
        .forEach((room, accounts) -> checkIns.beatAll(room, accounts, _ -> {}));
    timers.after(SeatPace.TICK.dividedBy(TURNS), this::tick);
  }

  /// A seat that could not be confirmed for so long may be another's before it can be: who has it
  /// is told that it is lost, and told again if it turns out that it is not.
  private void giveUpLapsed(long now) {
    for (SeatKey key : stands.find(stand -> SeatPace.isLapsed(stand, now))) {
      Objects.requireNonNull(stands.get(key.account(), key.room())).toldState =
          new SeatState.Outside();
      tell(key, new SeatLost(key.room(), SeatLoss.EXPIRED), null);
    }
  }

  /// How many seats and places are kept.
  int size() {
    return stands.size();
  }
}
