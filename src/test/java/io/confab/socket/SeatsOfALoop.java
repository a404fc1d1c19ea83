package io.confab.socket;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.seat.SeatCommand;
import io.confab.seat.SeatCommand.Beat;
import io.confab.seat.SeatCommand.Enter;
import io.confab.seat.SeatCommand.Find;
import io.confab.seat.SeatState;
import io.confab.seat.SeatState.Inside;
import io.confab.seat.SeatState.Outside;
import io.confab.seat.SeatState.Waiting;
import io.confab.seat.SeatStates;
import io.confab.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A loop of which Ann and Bob have sessions, beside a bus that answers how they stand, at once or
/// when a test says so.
abstract class SeatsOfALoop {
  static final AccountId ANN = new AccountId(1);
  static final AccountId BOB = new AccountId(2);
  static final RoomId ROOM = new RoomId(7);
  static final Inside IN = new Inside(1, 2, 5);
  static final long VERSION = 70;

  long now;
  final List<Later> later = new ArrayList<>();
  final Map<AccountId, SeatState> stands = new HashMap<>();
  final Set<AccountId> here = new HashSet<>(Set.of(ANN, BOB));
  final List<SeatCommand<?>> asked = new ArrayList<>();
  final List<ServerFrame> told = new ArrayList<>();
  int streamsLooked;
  boolean away;
  @Nullable Promise<Void> held;
  Duration takes = Duration.ZERO;

  record Later(long due, Runnable action) {}

  final Timers timers = (delay, action) -> later.add(new Later(now + delay.toNanos(), action));

  final LoopSeats.Sessions sessions =
      new LoopSeats.Sessions() {
        @Override
        public boolean has(AccountId account) {
          return here.contains(account);
        }

        @Override
        public void seat(
            AccountId account,
            RoomId room,
            @Nullable ServerFrame news,
            @Nullable AuthenticatedSession but) {
          streamsLooked++;
          if (news != null) {
            told.add(news);
          }
        }
      };

  final Requests bus =
      new Requests() {
        @Override
        @SuppressWarnings("unchecked")
        public <R extends BusMessage> Future<R> request(Command<R> command) {
          asked.add((SeatCommand<?>) command);
          if (away) {
            return Future.failedFuture(Refusal.unavailable("away"));
          }
          R answer = (R) answer((SeatCommand<?>) command);
          if (!takes.isZero()) {
            Promise<R> later = Promise.promise();
            timers.after(takes, () -> later.complete(answer));
            return later.future();
          }
          return held == null ? Future.succeededFuture(answer) : held.future().map(answer);
        }
      };

  final LoopSeats seats = new LoopSeats(bus, timers, () -> now, sessions, 1 << 20);

  @Nullable BusMessage answer(SeatCommand<?> command) {
    return switch (command) {
      case Beat beat -> new SeatStates(beat.accounts().stream().map(a -> stand(a)).toList());
      case Find find -> stand(find.account());
      case Enter enter -> stand(enter.account());
      default -> null;
    };
  }

  SeatState stand(AccountId account) {
    return stands.getOrDefault(account, new Outside());
  }

  static Waiting waiting(long position) {
    return new Waiting(position, position - 1, 1_000, null, "place", VERSION);
  }

  void pass(Duration time) {
    long end = now + time.toNanos();
    while (true) {
      Later next =
          later.stream()
              .filter(l -> l.due() <= end)
              .min((a, b) -> Long.compare(a.due(), b.due()))
              .orElse(null);
      if (next == null) {
        break;
      }
      later.remove(next);
      now = Math.max(now, next.due());
      next.action().run();
    }
    now = end;
  }

  void takesUp(AccountId account, SeatState state) {
    stands.put(account, state);
    seats.resumed(account, ROOM);
    pass(Duration.ofMillis(50));
  }

  long count(Class<?> type) {
    return asked.stream().filter(type::isInstance).count();
  }

  void enters(AccountId account) {
    seats.enter(account, ROOM, null, null, _ -> {});
  }
}
