package io.confab.seat;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.postgres.Outages;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.seat.RedisSeats.Claim;
import io.confab.seat.RedisSeats.Entry;
import io.confab.seat.RedisSeats.Visit;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.FindInside;
import io.confab.seat.SeatCommand.Held;
import io.confab.seat.SeatCommand.InsideOf;
import io.confab.seat.SeatCommand.LetIn;
import io.confab.seat.SeatCommand.Look;
import io.confab.seat.SeatCommand.Remove;
import io.confab.seat.SeatGate.Turn;
import io.confab.seat.SeatPlace.Opened;
import io.confab.seat.SeatStore.Right;
import io.confab.time.Timing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Carries out seat commands. For any thread.
public final class SeatHandler {
  private final SeatRooms rooms;
  private final RedisSeats redis;
  private final SeatStore store;
  private final SeatPlace places;
  private final SeatClaims claims;
  private final PolledSeats polled;
  private final GatheredCalls<RoomId, Entering, SeatState> entries;
  private final GatheredCalls<RoomId, Entering, SeatState> polls;
  private final GatheredCalls<RoomId, CheckingIn, SeatState> checkIns;
  private final Timing timing;

  /// Accounts of one script. What comes to the room meanwhile waits for it.
  private static final int ENTRIES = 100;

  /// Who waited for longer may have lost its right to enter meanwhile.
  private static final Duration AT_ONCE = Duration.ofMillis(250);

  SeatHandler(
      SeatRooms rooms,
      RedisSeats redis,
      SeatStore store,
      SeatPlace places,
      SeatGate gate,
      Timing timing) {
    this.rooms = rooms;
    this.redis = redis;
    this.store = store;
    this.places = places;
    this.claims = new SeatClaims(places);
    this.polled = new PolledSeats(timing::nanoTime);
    this.entries =
        gathered(gate, timing, Turn.ENTER, ENTRIES, (room, all) -> enter(room, all, Turn.ENTER));
    this.polls =
        gathered(gate, timing, Turn.KEEP, ENTRIES, (room, all) -> enter(room, all, Turn.KEEP));
    this.checkIns = gathered(gate, timing, Turn.KEEP, SeatCommand.MOST_BEATS, this::beatTogether);
    this.timing = timing;
  }

  private static <T> GatheredCalls<RoomId, T, SeatState> gathered(
      SeatGate gate,
      Timing timing,
      Turn turn,
      int together,
      BiFunction<RoomId, List<T>, Future<List<SeatState>>> call) {
    var bounds = new GatheredCalls.Bounds(together, SeatGate.MOST_WAITING, turn.patience);
    return new GatheredCalls<>(bounds, timing::nanoTime, gate::busy, call);
  }

  /// @param place as it was when that was asked for
  private record Entering(Enter command, @Nullable Opened place, Capacity capacity, long since) {}

  /// @param held what its node knew it to have when that was asked for, if anything
  private record CheckingIn(AccountId account, @Nullable Held held, long since) {}

  private Duration waited(long since) {
    return Duration.ofNanos(timing.nanoTime() - since);
  }

  /// An unreachable database is a refusal, not a bug.
  public Future<? extends BusMessage> handle(SeatCommand<?> command) {
    return answer(command).<BusMessage>map(reply -> reply).recover(Outages::refuse);
  }

  private Future<? extends BusMessage> answer(SeatCommand<?> command) {
    return switch (command) {
      case Enter enter -> enter(enter);
      case Beat beat -> beat(beat);
      case SeatCommand.Exit(var room, var account) ->
          leave(room, null, SeatLoss.LEFT, List.of(account));
      case SeatCommand.Disconnected(var room, var account) ->
          rooms.run(room, null, at -> redis.disconnected(at, account)).map(Done.DONE);
      case SeatCommand.Find(var room, var account) -> find(room, account);
      case FindInside(var account, var of) -> inside(account, of);
      case Look look -> look(look);
      case LetIn letIn -> letIn(letIn);
      case Remove remove -> remove(remove);
      case SeatCommand.Refresh(var room, var gone) ->
          store.capacity(room).compose(capacity -> leave(room, capacity, SeatLoss.REMOVED, gone));
    };
  }

  private Future<SeatState> enter(Enter enter) {
    RoomId room = enter.room();
    AccountId account = enter.account();
    Opened place = enter.place() == null ? null : places.read(room, account, enter.place());
    long since = timing.nanoTime();
    var line = isPoll(enter, place) ? polls : entries;
    return store
        .right(room, account)
        .compose(
            right -> line.ask(room, List.of(new Entering(enter, place, right.capacity(), since))))
        .compose(states -> allowed(enter, states.getFirst(), since))
        .map(
            state -> {
              if (state instanceof SeatState.Outside) {
                throw SeatStore.uncapped();
              }
              if (!enter.session()) {
                polled.set(room, account, state, since);
              }
              return state;
            });
  }

  /// Whether it keeps something, or takes it up: without a session that is said by entering.
  private boolean isPoll(Enter enter, @Nullable Opened place) {
    boolean isKept = place != null && place.over().isNegative();
    return !enter.session()
        && (isKept
            || polled
                .held(enter.room(), enter.account())
                .filter(held -> held.age().compareTo(RedisSeats.POLL) <= 0)
                .isPresent());
  }

  /// The end of a membership may have overtaken an entry that waited. Nodes of sessions hear of it.
  private Future<SeatState> allowed(Enter enter, SeatState state, long since) {
    if (enter.session() || waited(since).compareTo(AT_ONCE) <= 0) {
      return Future.succeededFuture(state);
    }
    RoomId room = enter.room();
    return store
        .right(room, enter.account())
        .map(state)
        .recover(
            failure ->
                isRefused(failure)
                    ? leave(room, null, SeatLoss.REMOVED, List.of(enter.account()))
                        .transform(_ -> Future.failedFuture(failure))
                    : Future.failedFuture(failure));
  }

  private static boolean isRefused(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.code() != ErrorCode.UNAVAILABLE;
  }

  private Future<List<SeatState>> enter(RoomId room, List<Entering> all, Turn turn) {
    Capacity newest =
        all.stream()
            .map(Entering::capacity)
            .max(Comparator.comparingLong(Capacity::rev))
            .orElseThrow();
    return rooms
        .run(
            new SeatRooms.Work(
                room,
                newest,
                turn,
                all.size(),
                at -> redis.enter(at, all.stream().map(each -> entry(each, at.terms())).toList())))
        .map(
            done ->
                IntStream.range(0, all.size())
                    .mapToObj(i -> state(room, all.get(i).command(), done, i))
                    .toList());
  }

  private SeatState state(RoomId room, Enter enter, Optional<SeatAnswer.Done> done, int index) {
    Duration kept = enter.session() ? RedisSeats.GRACE : RedisSeats.POLL;
    return done.map(found -> state(room, enter.account(), found, index, kept))
        .orElseGet(SeatState.Outside::new);
  }

  private Entry entry(Entering entering, SeatTerms terms) {
    Enter enter = entering.command();
    return new Entry(
        enter.account(),
        enter.session(),
        Optional.ofNullable(entering.place())
            .map(place -> place.after(waited(entering.since())))
            .filter(place -> SeatClaims.isGood(place, terms))
            .orElse(null),
        polled
            .held(enter.room(), enter.account())
            .filter(held -> SeatClaims.isGood(held.age(), RedisSeats.POLL, terms))
            .map(Held::began)
            .orElse(null));
  }

  private Future<SeatStates> beat(Beat beat) {
    Map<AccountId, Held> held = new HashMap<>();
    beat.held().forEach(each -> held.put(each.account(), each));
    long since = timing.nanoTime();
    List<CheckingIn> all =
        beat.accounts().stream()
            .map(account -> new CheckingIn(account, held.get(account), since))
            .toList();
    return checkIns.ask(beat.room(), all).map(SeatStates::new);
  }

  private Future<List<SeatState>> beatTogether(RoomId room, List<CheckingIn> all) {
    return rooms
        .run(
            new SeatRooms.Work(
                room,
                null,
                Turn.KEEP,
                all.size(),
                at -> redis.beat(at, all.stream().map(each -> claim(room, each, at)).toList())))
        .map(
            done ->
                IntStream.range(0, all.size())
                    .mapToObj(
                        i ->
                            done.map(found -> state(room, all.get(i).account(), found, i))
                                .orElseGet(SeatState.Outside::new))
                    .toList());
  }

  private Claim claim(RoomId room, CheckingIn one, Visit at) {
    Held held = one.held() == null ? null : one.held().after(waited(one.since()));
    return claims.of(room, one.account(), held, at.terms());
  }

  private Future<Done> leave(
      RoomId room, @Nullable Capacity capacity, SeatLoss why, List<AccountId> accounts) {
    return rooms
        .run(room, capacity, at -> redis.leave(at, why, accounts))
        .onSuccess(
            _ ->
                accounts.forEach(
                    account ->
                        polled.set(room, account, new SeatState.Outside(), timing.nanoTime())))
        .map(Done.DONE);
  }

  private Future<SeatState> find(RoomId room, AccountId account) {
    return rooms
        .run(room, null, at -> redis.visit(at, List.of(account)))
        .map(
            done ->
                done.map(found -> state(room, account, found, 0))
                    .orElseGet(SeatState.Outside::new));
  }

  private Future<InsideOf> inside(AccountId account, List<RoomId> of) {
    List<Future<Boolean>> held = of.stream().map(room -> redis.holds(room, account)).toList();
    return Future.join(held)
        .transform(
            _ ->
                Future.succeededFuture(
                    new InsideOf(
                        IntStream.range(0, of.size())
                            .filter(i -> held.get(i).succeeded() && held.get(i).result())
                            .mapToObj(of::get)
                            .toList())));
  }

  private SeatState state(RoomId room, AccountId account, SeatAnswer.Done done, int index) {
    return state(room, account, done, index, RedisSeats.GRACE);
  }

  /// @param kept for how long its place is kept from now on, if it says nothing more
  private SeatState state(
      RoomId room, AccountId account, SeatAnswer.Done done, int index, Duration kept) {
    SeatNumbers numbers = done.numbers();
    return switch (done.standing(index)) {
      case Standing.In _ ->
          new SeatState.Inside(numbers.inside(), numbers.capacity(), numbers.began());
      case Standing.InLine(long ahead, long ticket, Long estimate) ->
          new SeatState.Waiting(
              ahead + 1,
              ahead,
              numbers.waiting(),
              estimate,
              places.write(room, account, ticket, numbers.began(), kept),
              numbers.version());
      case Standing.Offer(long until) -> new SeatState.Offered(until);
      case Standing.Out _ -> new SeatState.Outside();
    };
  }

  private Future<Seats> look(Look look) {
    return store
        .right(look.room(), look.viewer())
        .compose(
            right ->
                rooms
                    .run(
                        look.room(),
                        right.capacity(),
                        at -> redis.look(at, Seats.MOST_NAMED, look.viewer(), right.leads()))
                    .compose(
                        done -> seen(look.viewer(), right, done.orElseThrow(SeatStore::uncapped))));
  }

  private Future<Seats> seen(AccountId viewer, Right right, SeatAnswer.Done done) {
    List<AccountId> inside = accounts(done.words().getFirst());
    if (right.leads()) {
      return Future.succeededFuture(seats(done, inside, accounts(done.words().get(1))));
    }
    if (!(done.standing(2) instanceof Standing.In)) {
      return Future.succeededFuture(seats(done, null, null));
    }
    return store
        .seen(inside, viewer)
        .map((Set<AccountId> shown) -> seats(done, kept(inside, shown), null));
  }

  private static List<AccountId> kept(List<AccountId> accounts, Set<AccountId> shown) {
    List<AccountId> kept = new ArrayList<>(accounts);
    kept.retainAll(shown);
    return kept;
  }

  private static List<AccountId> accounts(List<String> words) {
    return words.stream().map(AccountId::parse).toList();
  }

  private static Seats seats(
      SeatAnswer.Done done,
      @Nullable List<AccountId> accounts,
      @Nullable List<AccountId> waitingList) {
    SeatNumbers numbers = done.numbers();
    return new Seats(
        numbers.inside(), numbers.capacity(), numbers.waiting(), accounts, waitingList);
  }

  private Future<SeatState> letIn(LetIn letIn) {
    RoomId room = letIn.room();
    AccountId account = letIn.account();
    return store
        .act(room, letIn.actor(), SeatStore.LET_IN, account)
        .compose(capacity -> rooms.run(room, capacity, at -> redis.letIn(at, account)))
        .map(done -> state(room, account, done.orElseThrow(SeatStore::uncapped), 0));
  }

  /// What is in the audit has happened, or may have; so there is nothing of who has no seat.
  private Future<Done> remove(Remove remove) {
    RoomId room = remove.room();
    AccountId account = remove.account();
    return store
        .right(room, remove.actor())
        .compose(
            right ->
                right.leads() ? find(room, account) : Future.failedFuture(SeatStore.notYours()))
        .compose(
            state ->
                state instanceof SeatState.Outside
                    ? Future.failedFuture(
                        new Refusal(ErrorCode.NOT_FOUND, "has neither seat nor place"))
                    : store.act(room, remove.actor(), SeatStore.REMOVED, account))
        .compose(_ -> leave(room, null, SeatLoss.REMOVED, List.of(account)));
  }
}
