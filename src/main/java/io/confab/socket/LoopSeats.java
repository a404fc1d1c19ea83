package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.SeatChanged;
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
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Disconnected;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Exit;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatState;
import io.confab.seat.SeatState.Inside;
import io.confab.seat.SeatState.Waiting;
import io.confab.seat.SeatStates;
import io.confab.socket.SeatStands.Stand;
import io.confab.time.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  /// Sessions that begin at about the same time are looked at together.
  private static final Duration GATHER = Duration.ofMillis(20);

  /// In a tick each room has one, so that not all check in at the same time.
  private static final int TURNS = 10;

  /// Who are about to enter from here. More would only keep each other, and those who check in,
  /// waiting.
  static final int MOST_ENTERING = 100;

  /// What a seat or a place takes here, about.
  private static final int BYTES = 600;

  private final Requests bus;
  private final Timers timers;
  private final LongSupplier nanoTime;
  private final Sessions sessions;
  private final long most;
  private final RandomGenerator random;
  private final SeatStands stands = new SeatStands();

  /// Who is looked at soon, and whether that is so too if nothing is known of it here by then.
  private final Map<RoomId, Map<AccountId, Boolean>> looks = new LinkedHashMap<>();

  private final Map<Key, Entering> entering = new HashMap<>();
  private int looking;
  private int turn;
  private boolean ticking;
  private boolean gathering;

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
  }

  /// Whether the account is known to be inside now.
  boolean isKnownInside(AccountId account, RoomId room) {
    Stand stand = stands.get(account, room);
    if (stand == null || !(stand.state instanceof Inside)) {
      return false;
    }
    boolean lasts = left(stand) > 0;
    stand.honoured &= lasts;
    return lasts;
  }

  @Override
  public boolean isKnownInside(AccountId account, RoomId room, Duration left) {
    Stand stand = stands.get(account, room);
    return stand != null && stand.state instanceof Inside && left(stand) >= left.toNanos();
  }

  /// For how long a seat is honoured without being confirmed. Not when it is said to be lost.
  private long left(Stand stand) {
    long age = nanoTime.getAsLong() - stand.confirmed;
    return stand.loss == null ? SeatCommand.LEASE.toNanos() - age : 0;
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
    Key key = new Key(account, room);
    Stand stand = stands.get(key.account(), room);
    if (stand == null && isFull()) {
      return Future.failedFuture(Refusal.unavailable("too many seats on this node"));
    }
    boolean isNew = stand == null && !entering.containsKey(key);
    if (isNew && entering.size() >= MOST_ENTERING) {
      return Future.failedFuture(SeatPace.crowd(random));
    }
    if (stand != null && stand.state instanceof Inside) {
      // else it would join the line where Redis has lost its seat, and nobody claimed that yet
      return beat(room, List.of(key.account()), false)
          .transform(_ -> enter(key, session, place, answer));
    }
    String known = stand != null && stand.state instanceof Waiting it ? it.place() : null;
    return enter(key, session, place == null ? known : place, answer);
  }

  private Future<SeatState> enter(
      Key key,
      @Nullable AuthenticatedSession session,
      @Nullable String place,
      Consumer<SeatState> answer) {
    long sent = nanoTime.getAsLong();
    Entering mine = entering.computeIfAbsent(key, _ -> new Entering());
    mine.calls++;
    return bus.request(new Enter(key.room(), key.account(), true, place))
        .compose(state -> mine.ended ? tooLate(key) : Future.succeededFuture(state))
        .onSuccess(
            state -> {
              answer.accept(state);
              confirmed(key, state, sent, session);
              if (!sessions.has(key.account())) {
                disconnected(key.account(), key.room());
              }
            })
        .onComplete(answered -> entered(key, mine, answered.result()));
  }

  /// It entered, but its membership had ended: it keeps nothing, unless it has come back since.
  private Future<SeatState> tooLate(Key key) {
    if (stands.get(key.account(), key.room()) == null && !entering.containsKey(key)) {
      exit(key);
    }
    return Future.failedFuture(Refusal.noSuchRoom());
  }

  private void exit(Key key) {
    bus.request(new Exit(key.room(), key.account())); // else it is missed at its next check-in
  }

  /// What was told meanwhile is what the answer says, or what came after it.
  private void entered(Key key, Entering mine, @Nullable SeatState state) {
    mine.calls--;
    if (mine.calls == 0) {
      entering.remove(key, mine);
    }
    if (mine.ended) {
      return;
    }
    boolean isLater =
        switch (state) {
          case Inside _ -> false;
          case Waiting _ ->
              mine.heard.contains(SeatNews.INSIDE) || mine.heard.contains(SeatNews.OFFER);
          case SeatState.Offered _ -> mine.heard.contains(SeatNews.INSIDE);
          case SeatState.Outside _ -> true;
          case null -> !mine.heard.isEmpty();
        };
    if (isLater || mine.heard.stream().anyMatch(news -> news.loss() != null)) {
      look(key.account(), key.room());
    }
  }

  /// An account is about to enter a room from here.
  private static final class Entering {
    /// What it was told of meanwhile.
    private final Set<SeatNews> heard = EnumSet.noneOf(SeatNews.class);

    private int calls;

    /// Whether its membership has ended meanwhile.
    private boolean ended;
  }

  private boolean isFull() {
    return stands.size() + entering.size() >= most;
  }

  private void disconnected(AccountId account, RoomId room) {
    bus.request(new Disconnected(room, account)); // else it is missed at its next check-in
  }

  /// The account left the room by itself.
  void left(AccountId account, RoomId room) {
    lost(account, room, SeatLoss.LEFT);
  }

  /// The account is no member of the room any more.
  void ended(AccountId account, RoomId room) {
    Key key = new Key(account, room);
    Entering mine = entering.remove(key);
    if (mine != null) {
      mine.ended = true;
    }
    if (stands.remove(account, room)) {
      exit(key);
    }
  }

  /// A session begins: what the account has is taken up, and told to its sessions.
  ///
  /// @return what this one is to be told, if that is known already
  Optional<ServerFrame> resumed(AccountId account, RoomId room) {
    Stand stand = stands.get(account, room);
    if (stand == null || stand.toldState instanceof SeatState.Outside) {
      look(account, room);
      return Optional.empty();
    }
    return Optional.of(SeatAnswers.of(null, room, stand.state));
  }

  /// Something happened to the account in the room: by now it may be otherwise again. A seat that
  /// is said to be lost is not honoured until that is looked at.
  void changed(SeatChanged signal) {
    Key key = new Key(signal.account(), signal.room());
    Stand stand = stands.get(key.account(), key.room());
    SeatNews news = signal.news();
    SeatLoss loss = news == null ? null : news.loss();
    Entering mine = entering.get(key);
    if (mine != null && news != null) {
      mine.heard.add(news);
    }
    if (loss != null) {
      if (stand != null) {
        stand.loss = loss;
        stand.lossAt = nanoTime.getAsLong();
        look(key, false);
      }
      return;
    }
    boolean isHeard = mine != null && news != null;
    if (!isHeard && (stand == null || stand.loss != null || !isSo(stand.state, news))) {
      look(key, true);
    }
  }

  private static boolean isSo(SeatState state, @Nullable SeatNews news) {
    return switch (state) {
      case Inside _ -> news == SeatNews.INSIDE;
      case Waiting _ -> news == SeatNews.WAITING;
      case SeatState.Offered _, SeatState.Outside _ -> false;
    };
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
    looks.values().removeIf(waiting -> remove(waiting, account));
  }

  private boolean remove(Map<AccountId, Boolean> waiting, AccountId account) {
    if (waiting.remove(account) != null) {
      looking--;
    }
    return waiting.isEmpty();
  }

  private void lost(AccountId account, RoomId room, SeatLoss why) {
    Stand stand = stands.get(account, room);
    if (stands.remove(account, room)) {
      boolean isTold = stand != null && stand.toldState instanceof SeatState.Outside;
      sessions.seat(account, room, isTold ? null : new SeatLost(room, why), null);
    }
  }

  private void look(AccountId account, RoomId room) {
    look(new Key(account, room), true);
  }

  /// @param anyway also if nothing is known here by then
  private void look(Key key, boolean anyway) {
    if (looking >= most) {
      return; // its sessions ask
    }
    Map<AccountId, Boolean> those = looks.computeIfAbsent(key.room(), _ -> new LinkedHashMap<>());
    int before = those.size();
    those.merge(key.account(), anyway, Boolean::logicalOr);
    looking += those.size() - before;
    if (!gathering) {
      gathering = true;
      timers.after(GATHER, this::lookNow);
    }
  }

  private void lookNow() {
    gathering = false;
    Map<RoomId, Map<AccountId, Boolean>> all = new LinkedHashMap<>(looks);
    looks.clear();
    looking = 0;
    all.forEach((room, accounts) -> inParts(room, toLookAt(room, accounts), true));
  }

  private List<AccountId> toLookAt(RoomId room, Map<AccountId, Boolean> accounts) {
    return accounts.entrySet().stream()
        .filter(each -> each.getValue() || stands.get(each.getKey(), room) != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void inParts(RoomId room, List<AccountId> accounts, boolean looks) {
    for (int from = 0; from < accounts.size(); from += SeatCommand.MOST_BEATS) {
      int to = Math.min(accounts.size(), from + SeatCommand.MOST_BEATS);
      beat(room, accounts.subList(from, to), looks);
    }
  }

  /// @param looks whether those are taken up of whom nothing is known here
  private Future<SeatStates> beat(RoomId room, List<AccountId> accounts, boolean looks) {
    long sent = nanoTime.getAsLong();
    List<@Nullable Stand> before = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    for (AccountId account : accounts) {
      Stand stand = stands.get(account, room);
      before.add(stand);
      if (stand != null) {
        stand.beaten = sent;
        held(account, stand, sent, held);
      }
    }
    return bus.request(new Beat(room, accounts, held))
        .onSuccess(
            answer -> {
              for (int i = 0; i < accounts.size(); i++) {
                Key key = new Key(accounts.get(i), room);
                SeatState state = answer.states().get(i);
                Stand now = stands.get(key.account(), room);
                if (isSame(before.get(i), now)) {
                  confirmed(key, state, sent, null);
                } else if (now != null && !now.state.getClass().equals(state.getClass())) {
                  look(key.account(), room); // which of two answers is the newer one is not known
                }
              }
            })
        .onFailure(
            _ -> {
              before.forEach(stand -> unbeaten(stand, sent));
              if (looks) {
                timers.after(
                    SeatPace.TICK, () -> accounts.forEach(account -> lookAgain(account, room)));
              }
            });
  }

  /// The next tick tries again.
  private static void unbeaten(@Nullable Stand stand, long sent) {
    if (stand != null && stand.beaten == sent) {
      stand.beaten = sent - SeatPace.BEAT.toNanos();
    }
  }

  private void lookAgain(AccountId account, RoomId room) {
    if (sessions.has(account)) {
      look(account, room);
    }
  }

  private static void held(AccountId account, Stand stand, long now, List<Held> held) {
    Duration age = Duration.ofNanos(now - stand.confirmed);
    switch (stand.state) {
      case Inside _ -> held.add(new Held(account, null, age));
      case Waiting waiting -> held.add(new Held(account, waiting.place(), age));
      case SeatState.Offered _, SeatState.Outside _ -> {} // nothing to claim
    }
  }

  /// An answer that was overtaken by the end of what it is about tells nothing.
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(@Nullable Stand before, @Nullable Stand now) {
    return before == now;
  }

  private record Key(AccountId account, RoomId room) {}

  /// @param by the session that was answered
  private void confirmed(Key key, SeatState state, long sent, @Nullable AuthenticatedSession by) {
    Stand stand = stands.get(key.account(), key.room());
    if (state instanceof SeatState.Outside) {
      lost(key.account(), key.room(), stand == null ? SeatLoss.EXPIRED : why(stand));
    } else if (stand != null) {
      stand.confirmed = Math.max(stand.confirmed, sent);
      stand.state = state;
      stand.loss = sent < stand.lossAt ? stand.loss : null;
      tell(key, stand, by);
    } else if (!isFull() && sessions.has(key.account())) {
      add(key, new Stand(state, sent), by);
    }
  }

  private static SeatLoss why(Stand stand) {
    return stand.loss == null ? SeatLoss.EXPIRED : stand.loss;
  }

  private void add(Key key, Stand stand, @Nullable AuthenticatedSession by) {
    stands.add(key.account(), key.room(), stand);
    stand.honoured = isKnownInside(key.account(), key.room());
    tell(key, SeatAnswers.of(null, key.room(), stand.state), by);
    if (!ticking) {
      ticking = true;
      timers.after(SeatPace.TICK.dividedBy(TURNS), this::tick);
    }
  }

  private void tell(Key key, @Nullable ServerFrame news, @Nullable AuthenticatedSession by) {
    sessions.seat(key.account(), key.room(), news, by);
  }

  /// Tells what is new, and positions not too often.
  private void tell(Key key, Stand stand, @Nullable AuthenticatedSession by) {
    boolean honoured = isKnownInside(key.account(), key.room());
    boolean news = SeatPace.isNews(stand, nanoTime.getAsLong());
    if (news) {
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
    Map<RoomId, List<AccountId>> due = new LinkedHashMap<>();
    stands.forEach(
        (room, standing) -> {
          if (Math.floorMod(room.hashCode(), TURNS) == turn) {
            due.put(room, due(standing, now));
          }
        });
    due.forEach((room, accounts) -> inParts(room, accounts, false));
    timers.after(SeatPace.TICK.dividedBy(TURNS), this::tick);
  }

  private static List<AccountId> due(Map<AccountId, Stand> standing, long now) {
    return standing.entrySet().stream()
        .filter(each -> now - each.getValue().beaten >= SeatPace.rest(each.getValue()).toNanos())
        .map(Map.Entry::getKey)
        .toList();
  }

  /// A seat that could not be confirmed for so long may be another's before it can be: who has it
  /// is told that it is lost, and told again if it turns out that it is not.
  private void giveUpLapsed(long now) {
    List<Key> lapsed = new ArrayList<>();
    stands.forEach(
        (room, standing) ->
            standing.forEach(
                (account, stand) -> {
                  if (SeatPace.isLapsed(stand, now)) {
                    stand.toldState = new SeatState.Outside();
                    lapsed.add(new Key(account, room));
                  }
                }));
    lapsed.forEach(key -> tell(key, new SeatLost(key.room(), SeatLoss.EXPIRED), null));
  }

  /// How many seats and places are kept.
  int size() {
    return stands.size();
  }
}
