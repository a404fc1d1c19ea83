package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.seat.SeatPlace.Opened;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of the seats of one room, with time handed in: what the scripts in Redis do, said once
/// more and otherwise. Times are milliseconds from anywhere.
final class SeatRules {
  private static final int AT_ONCE = 100;
  private static final int DEPARTURES = 20;
  private static final int LEAST_DEPARTURES = 3;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long LEASE = SeatCommand.LEASE.toMillis();
  private static final long GRACE = RedisSeats.GRACE.toMillis();
  private static final long POLL = RedisSeats.POLL.toMillis();
  private static final long OFFER = RedisSeats.OFFER.toMillis();
  private static final long PAUSE = SeatTerms.PAUSE.toMillis();
  private static final long BASE = 1L << 32;

  private final SeatBug bug;
  private final Map<AccountId, Place> places = new HashMap<>();

  /// Who gave up what it had while others claim.
  private final Set<AccountId> gaveUp = new HashSet<>();

  private final Deque<Long> departures = new ArrayDeque<>();
  private List<SeatChange> changes = new ArrayList<>();
  private long capacity;
  private long rev;
  private long began;
  private long opening;
  private long ticket;
  private long head;
  private long pausedUntil;
  private long claimsUntil;

  private enum Has {
    SEAT,
    OFFER,
    PLACE
  }

  private static final class Place {
    private Has has = Has.PLACE;
    private long ticket;
    private long since;
    private long lostAt;
    private long sessionUntil;
  }

  /// When and how something happens.
  ///
  /// @param capacity null: as it is
  /// @param pause what is left of it, as of the calm
  record Moment(long now, @Nullable Capacity capacity, long pause, long calm) {
    static Moment at(long now) {
      return new Moment(now, null, 0, 0);
    }
  }

  SeatRules(SeatBug bug) {
    this.bug = bug;
  }

  /// All is set up anew.
  void open(long number, boolean lost, long now) {
    places.clear();
    gaveUp.clear();
    departures.clear();
    opening = number;
    ticket = number * BASE;
    head = -number * BASE;
    capacity = 0;
    rev = 0;
    began = 0;
    pausedUntil = lost && bug != SeatBug.NO_PAUSE ? now + PAUSE : 0;
    claimsUntil = pausedUntil;
  }

  /// What changed since this was asked last.
  List<SeatChange> changes() {
    List<SeatChange> all = changes;
    changes = new ArrayList<>();
    return all;
  }

  void enter(Moment moment, RedisSeats.Entry entry) {
    begin(moment);
    if (capacity == 0) {
      return;
    }
    AccountId account = entry.account();
    Place place = places.get(account);
    if (place != null && place.has == Has.OFFER) {
      sit(account, place, moment.now());
    } else if (place == null
        && entry.seat() != null
        && mayClaim(moment, account, entry.seat())
        && held() < capacity) {
      sit(account, added(account, moment.now()), moment.now());
    } else if (place == null) {
      Opened claim = entry.place();
      Long claimed =
          claim != null
                  && Math.abs(claim.ticket()) <= opening * BASE
                  && mayClaim(moment, account, claim.began())
              ? claim.ticket()
              : null;
      added(account, moment.now()).ticket = claimed == null ? nextTicket(moment.now()) : claimed;
      changed(account, SeatNews.WAITING);
    } else if (bug == SeatBug.HEAD_START
        && place.has == Has.PLACE
        && place.sessionUntil > moment.now()
        && place.sessionUntil <= moment.now() + GRACE) {
      place.ticket = 0;
    }
    gaveUp.remove(account);
    checkIn(account, entry.session(), moment.now());
    fill(moment, account);
  }

  private Place added(AccountId account, long now) {
    Place place = new Place();
    place.since = now;
    places.put(account, place);
    return place;
  }

  private long nextTicket(long now) {
    ticket++;
    return bug == SeatBug.EQUAL_TICKETS ? now / 10_000 : ticket;
  }

  /// What one claims: a seat, a ticket, or nothing.
  void beat(Moment moment, List<RedisSeats.Claim> claims) {
    begin(moment);
    for (RedisSeats.Claim each : claims) {
      Place place = places.get(each.account());
      if (place == null) {
        claim(moment, each);
      } else if (place.has == Has.OFFER) {
        sit(each.account(), place, moment.now());
      }
      if (places.containsKey(each.account())) {
        checkIn(each.account(), true, moment.now());
      }
    }
    fill(moment, null);
  }

  private void claim(Moment moment, RedisSeats.Claim claim) {
    AccountId account = claim.account();
    if (claim.claim().isEmpty() || !mayClaim(moment, account, claim.began())) {
      return;
    }
    if (claim.claim().equals(RedisSeats.Claim.SEAT)) {
      if (held() < capacity) {
        sit(account, added(account, moment.now()), moment.now());
      }
    } else if (capacity > 0 && Math.abs(Long.parseLong(claim.claim())) <= opening * BASE) {
      added(account, moment.now()).ticket = Long.parseLong(claim.claim());
    }
  }

  void leave(Moment moment, SeatNews why, List<AccountId> accounts) {
    begin(moment);
    for (AccountId account : accounts) {
      if (places.containsKey(account)) {
        lose(account, why, moment.now());
      }
      if (isClaimed(moment)) {
        gaveUp.add(account);
      }
    }
    fill(moment, null);
  }

  void disconnected(Moment moment, AccountId account) {
    begin(moment);
    Place place = places.get(account);
    if (place != null) {
      long graceEnds = moment.now() + GRACE;
      place.lostAt = place.lostAt > moment.now() ? Math.min(place.lostAt, graceEnds) : graceEnds;
      place.sessionUntil = Math.min(place.sessionUntil, graceEnds);
    }
    fill(moment, null);
  }

  void letIn(Moment moment, AccountId account) {
    begin(moment);
    Place place = places.get(account);
    if (capacity > 0 && (place == null || place.has == Has.PLACE)) {
      head--;
      if (place == null) {
        added(account, moment.now()).ticket = head;
        checkIn(account, false, moment.now());
      } else {
        place.ticket = head;
      }
      changed(account, SeatNews.WAITING);
    }
    fill(moment, null);
  }

  void visit(Moment moment) {
    begin(moment);
    fill(moment, null);
  }

  private void begin(Moment moment) {
    Capacity fresh = moment.capacity();
    if (fresh != null && fresh.rev() >= rev) {
      boolean isOver = fresh.seats() == 0 || fresh.began() > rev;
      capacity = fresh.seats();
      rev = fresh.rev();
      began = fresh.began();
      if (isOver && !places.isEmpty()) {
        close(moment.now());
      }
    }
    if (moment.calm() <= 0) {
      places.entrySet().stream()
          .filter(entry -> entry.getValue().lostAt <= moment.now())
          .sorted(Comparator.comparingLong(entry -> entry.getValue().lostAt))
          .map(Map.Entry::getKey)
          .toList()
          .forEach(account -> lose(account, SeatNews.EXPIRED, moment.now()));
    }
  }

  private void close(long now) {
    places.keySet().forEach(account -> changed(account, SeatNews.LEFT));
    places.clear();
    gaveUp.clear();
    departures.clear();
    pausedUntil = now + PAUSE;
    claimsUntil = 0;
  }

  private void lose(AccountId account, SeatNews why, long now) {
    Place place = places.remove(account);
    gaveUp.remove(account);
    if (place != null && place.has != Has.PLACE) {
      departures.addFirst(now);
      if (departures.size() > DEPARTURES) {
        departures.removeLast();
      }
    }
    changed(account, why);
  }

  private void checkIn(AccountId account, boolean session, long now) {
    Place place = places.get(account);
    if (place == null) {
      return;
    }
    if (session) {
      place.sessionUntil = now + LEASE + GRACE;
    }
    place.lostAt = Math.max(place.lostAt, session ? place.sessionUntil : now + POLL);
  }

  private void sit(AccountId account, Place place, long now) {
    boolean fromLine = place.has != Has.SEAT && place.lostAt != 0;
    place.has = Has.SEAT;
    changes.add(new SeatChange(account, SeatNews.INSIDE, fromLine ? now - place.since : -1));
  }

  private void changed(AccountId account, SeatNews kind) {
    changes.add(new SeatChange(account, kind, -1));
  }

  /// @param here is there by this very call
  private void fill(Moment moment, @Nullable AccountId here) {
    for (int i = 0; i < AT_ONCE && held() < capacity && pauseLeft(moment) <= 0; i++) {
      Optional<AccountId> first = line().stream().findFirst();
      if (first.isEmpty()) {
        return;
      }
      AccountId account = first.get();
      Place place = places.get(account);
      if (place == null) {
        return;
      }
      if (account.equals(here) || place.sessionUntil - moment.now() > GRACE) {
        place.has = Has.SEAT;
        changes.add(new SeatChange(account, SeatNews.INSIDE, moment.now() - place.since));
      } else {
        place.has = Has.OFFER;
        place.lostAt = Math.max(moment.now() + OFFER, place.sessionUntil);
        changed(account, SeatNews.OFFER);
      }
    }
  }

  private long pauseLeft(Moment moment) {
    return bug == SeatBug.NO_PAUSE ? 0 : Math.max(moment.pause(), pausedUntil - moment.now());
  }

  private boolean isClaimed(Moment moment) {
    return Math.max(moment.pause(), claimsUntil - moment.now()) > 0;
  }

  /// @param under which capacity it had what it claims
  private boolean mayClaim(Moment moment, AccountId account, long under) {
    return isClaimed(moment) && under == began && !gaveUp.contains(account);
  }

  /// Those who wait, in their order.
  List<AccountId> line() {
    return places.entrySet().stream()
        .filter(entry -> entry.getValue().has == Has.PLACE)
        .sorted(
            Comparator.<Map.Entry<AccountId, Place>>comparingLong(entry -> entry.getValue().ticket)
                .thenComparing(entry -> entry.getKey().toString()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private long held() {
    return bug == SeatBug.FORGOTTEN_SEATS
        ? places.values().stream()
            .filter(place -> place.has != Has.PLACE && place.lostAt - place.since < 3 * POLL)
            .count()
        : inside() + offers();
  }

  /// Whether it is inside, or has an offer.
  boolean hasSeat(AccountId account) {
    Place place = places.get(account);
    return place != null && place.has != Has.PLACE;
  }

  long inside() {
    return places.values().stream().filter(place -> place.has == Has.SEAT).count();
  }

  long offers() {
    return places.values().stream().filter(place -> place.has == Has.OFFER).count();
  }

  long capacity() {
    return capacity;
  }

  long began() {
    return began;
  }

  Standing standing(AccountId account, long now) {
    Place place = places.get(account);
    if (place == null) {
      return new Standing.Out();
    }
    return switch (place.has) {
      case SEAT -> new Standing.In();
      case OFFER -> new Standing.Offer(place.lostAt);
      case PLACE -> {
        long ahead = line().indexOf(account);
        yield new Standing.InLine(ahead, place.ticket, estimate(ahead, now));
      }
    };
  }

  private @Nullable Long estimate(long ahead, long now) {
    List<Long> recent = departures.stream().filter(at -> at > now - HOUR).toList();
    if (recent.size() < LEAST_DEPARTURES) {
      return null;
    }
    double perSeat = (now - recent.getLast()) / (double) recent.size();
    return (long) Math.ceil((ahead + 1) * perSeat / 1_000);
  }

  /// In how many milliseconds there is something to do; -1: never.
  long due(Moment moment) {
    if (places.isEmpty()) {
      return -1;
    }
    long first = places.values().stream().mapToLong(place -> place.lostAt).min().orElse(0);
    long due = Math.max(0, Math.max(first - moment.now(), moment.calm()));
    return held() < capacity && !line().isEmpty()
        ? Math.min(due, Math.max(0, pauseLeft(moment)))
        : due;
  }
}
