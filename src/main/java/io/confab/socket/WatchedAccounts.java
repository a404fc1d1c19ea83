package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.AccountListener;
import io.confab.feed.AccountSignal;
import io.confab.feed.FeedHub;
import io.confab.feed.Handover;
import io.confab.metrics.Meters;
import io.confab.presence.PresenceCommand.FindPresence;
import io.confab.presence.PresenceCommand.Look;
import io.confab.presence.PresenceCommand.Presence;
import io.confab.presence.Sight;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.time.TimingWheel;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The accounts that sessions of one event loop watch: hears what becomes of them, looks who may
/// know of it, and tells each session what is another thing than it was told. Belongs to its loop.
///
/// An account is told at once, and then not for a second. Signals may be lost, so all that is
/// watched is asked for again every half minute; who may know what every five, and where all is
/// compared.
final class WatchedAccounts implements AccountListener {
  /// How long Redis may take to confirm before a session goes on without it.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration REPEAT = Duration.ofSeconds(30);

  /// Who may know what changes seldom, and is more to look up.
  private static final int REPEATS_OF_SIGHT = 10;

  private static final Duration UNSURE = Duration.ofSeconds(4);
  private static final Duration BETWEEN_COMPARISONS = Duration.ofSeconds(10);
  private static final int BATCH = 1_000;
  private static final int SIGNAL_BYTES = 600;

  private final Handover loop;
  private final FeedHub hub;
  private final Requests bus;
  private final TimingWheel wheel;
  private final Meters meters;
  private final WatchMemory memory;
  private final Map<AccountId, WatchedAccount> accounts = new HashMap<>();
  private final Batches<Sighting> looks;
  private final Batches<WatchedAccount> finds;

  /// Signals were lost since all was compared.
  private final AtomicBoolean lost = new AtomicBoolean();

  private Runnable alsoCompared = () -> {};
  private long comparesAt;
  private boolean comparing;
  private boolean repeating;
  private int repeats;

  /// @param mostBytes of all that is watched
  WatchedAccounts(
      Handover loop, FeedHub hub, Requests bus, TimingWheel wheel, Meters meters, long mostBytes) {
    this.loop = loop;
    this.hub = hub;
    this.bus = bus;
    this.wheel = wheel;
    this.meters = meters;
    this.memory = new WatchMemory(mostBytes);
    this.looks = new Batches<>(wheel, BATCH, batch -> look(batch).onSuccess(_ -> tell(batch)));
    this.finds = new Batches<>(wheel, BATCH, batch -> find(batch).onSuccess(_ -> told(batch)));
    this.comparesAt = wheel.nanos();
  }

  /// Has a session hear what becomes of its own account; answers what is known of that.
  WatchedAccount join(PresenceWatch watch) {
    WatchedAccount account = of(watch.viewer());
    account.watches().add(watch);
    return account;
  }

  void leave(PresenceWatch watch) {
    watch.own().watches().remove(watch);
    forget(watch.own());
  }

  /// Whether a session may watch more.
  ///
  /// @param added accounts that it does not watch yet
  /// @param dropped how many it would not watch any more
  /// @param others bytes of what else it would watch
  boolean hasRoom(PresenceWatch by, Collection<AccountId> added, int dropped, long others) {
    long unknown = added.stream().filter(account -> !accounts.containsKey(account)).count();
    long more = (long) added.size() - dropped;
    return memory.fits(
        more * WatchMemory.SIGHTING + unknown * WatchMemory.ACCOUNT + others,
        (by.own().watched() + more) * WatchMemory.OWN);
  }

  /// A session watches so many rooms more, or fewer.
  void countRooms(int more) {
    memory.take((long) more * WatchMemory.ROOM);
  }

  /// Rooms that are watched have so many members more, or fewer.
  void countMembers(int more) {
    memory.take((long) more * WatchMemory.MEMBER);
  }

  Sighting see(PresenceWatch by, AccountId account) {
    WatchedAccount watched = of(account);
    Sighting sighting = new Sighting(by, watched);
    watched.sightings().add(sighting);
    by.own().watchesMore(1);
    memory.take(WatchMemory.SIGHTING);
    return sighting;
  }

  void drop(Sighting sighting) {
    WatchedAccount account = sighting.of();
    if (account.sightings().remove(sighting)) {
      sighting.by().own().watchesMore(-1);
      memory.give(WatchMemory.SIGHTING);
      looks.remove(sighting);
      forget(account);
    }
  }

  private WatchedAccount of(AccountId account) {
    WatchedAccount present = accounts.get(account);
    if (present != null) {
      return present;
    }
    WatchedAccount watched = new WatchedAccount(account);
    accounts.put(account, watched);
    memory.take(WatchMemory.ACCOUNT);
    if (hub.watch(account, this)) {
      watched.listening().tryComplete();
    } else {
      wheel.after(PATIENCE, watched.listening()::tryComplete);
    }
    if (!repeating) {
      repeating = true;
      wheel.after(REPEAT, this::repeat);
    }
    return watched;
  }

  private void forget(WatchedAccount account) {
    if (account.isUnused() && accounts.remove(account.id(), account)) {
      memory.give(WatchMemory.ACCOUNT);
      finds.remove(account);
      hub.unwatch(account.id(), this);
    }
  }

  private void repeat() {
    repeating = !accounts.isEmpty();
    if (repeating) {
      finds.add(accounts.values());
      repeats++;
      if (repeats % REPEATS_OF_SIGHT == 0) {
        accounts.values().forEach(account -> looks.add(account.sightings()));
      }
      wheel.after(REPEAT, this::repeat);
    }
  }

  /// Those of them that exist. Of others nobody has to be asked again and again, or listened for:
  /// whoever thinks of ids takes nothing.
  Future<Set<AccountId>> existing(AccountId viewer, Collection<AccountId> named) {
    Set<AccountId> found = new HashSet<>(named);
    List<AccountId> unknown =
        found.stream().filter(account -> !accounts.containsKey(account)).toList();
    return Future.all(parts(unknown, part -> removeMissing(viewer, part, found))).map(found);
  }

  private Future<Void> removeMissing(AccountId viewer, List<AccountId> some, Set<AccountId> found) {
    return bus.request(new Look(Collections.nCopies(some.size(), viewer), some))
        .map(
            sights -> {
              for (int i = 0; i < some.size(); i++) {
                if (sights.sights().get(i).equals(Sight.NOTHING)) {
                  found.remove(some.get(i));
                }
              }
              return null;
            });
  }

  /// Looks what sessions may know, and whether those whom they watch are there, when their signals
  /// are heard.
  Future<Void> learn(List<Sighting> wanted) {
    List<WatchedAccount> unknown =
        wanted.stream().map(Sighting::of).filter(of -> !of.isKnown()).toList();
    List<Sighting> unseen = wanted.stream().filter(one -> !one.isLookedAt()).toList();
    return Future.all(wanted.stream().map(one -> one.of().listening().future()).toList())
        .compose(_ -> Future.all(parts(unseen, this::look)))
        .compose(_ -> Future.all(parts(unknown, this::find)))
        .mapEmpty();
  }

  private static <T> List<Future<Void>> parts(
      List<T> all, java.util.function.Function<List<T>, Future<Void>> work) {
    List<Future<Void>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += BATCH) {
      parts.add(work.apply(all.subList(from, Math.min(from + BATCH, all.size()))));
    }
    return parts;
  }

  private Future<Void> look(List<Sighting> some) {
    long[] looks = some.stream().mapToLong(Sighting::look).toArray();
    return bus.request(
            new Look(
                some.stream().map(one -> one.by().viewer()).toList(),
                some.stream().map(one -> one.of().id()).toList()))
        .map(
            sights -> {
              List<Sight> found = sights.sights();
              for (int i = 0; i < found.size(); i++) {
                some.get(i).found(looks[i], found.get(i));
                if (!found.get(i).equals(Sight.NOTHING)) {
                  some.get(i).of().learn(found.get(i));
                }
              }
              return null;
            });
  }

  private Future<Void> find(List<WatchedAccount> some) {
    return bus.request(new FindPresence(some.stream().map(WatchedAccount::id).toList()))
        .map(
            found -> {
              List<Presence> all = found.accounts();
              for (int i = 0; i < all.size(); i++) {
                WatchedAccount account = some.get(i);
                if (account.learn(all.get(i)) && !all.get(i).status().isPresent()) {
                  looks.add(account.sightings()); // when it was there last the answer does not say
                }
              }
              if (!found.sure()) {
                List<WatchedAccount> again = List.copyOf(some);
                wheel.after(UNSURE, () -> findAgain(again));
              }
              return null;
            });
  }

  private void findAgain(List<WatchedAccount> some) {
    finds.add(some.stream().filter(one -> accounts.get(one.id()) == one).toList());
  }

  /// Looks soon what a session may know of these.
  void lookSoon(Collection<Sighting> some) {
    looks.add(some);
  }

  /// Finds soon whether those are there of whom that is not known.
  void findSoon(Collection<Sighting> some) {
    finds.add(some.stream().map(Sighting::of).filter(of -> !of.isKnown()).toList());
  }

  private void tell(List<Sighting> some) {
    some.forEach(Sighting::tell);
    some.forEach(one -> one.of().rooms().forEach(WatchedRoom::countSoon));
  }

  private void told(List<WatchedAccount> some) {
    some.forEach(this::tellSoon);
  }

  private void tellSoon(WatchedAccount account) {
    long rest = account.rest(wheel.nanos());
    if (rest == 0) {
      tell(account);
    } else if (rest > 0) {
      account.waits();
      wheel.after(Duration.ofNanos(rest), () -> tell(account));
    }
  }

  private void tell(WatchedAccount account) {
    account.told(wheel.nanos() + REST.toNanos());
    account.copyOfSightings().forEach(Sighting::tell);
    account.rooms().forEach(WatchedRoom::countSoon);
  }

  /// Does something when all that is under way now has been done.
  void soon(Runnable action) {
    wheel.after(Duration.ZERO, action);
  }

  /// A session was told something.
  void told() {
    meters.presenceTold();
  }

  /// While too much waits for the loop signals are lost, and all is compared once.
  @Override
  public void signal(AccountSignal signal) {
    if (!loop.offer(SIGNAL_BYTES, () -> heard(signal)) && !lost.getAndSet(true)) {
      loop.execute(
          () -> {
            lost.set(false);
            compareAll();
          });
    }
  }

  private void heard(AccountSignal signal) {
    WatchedAccount account = accounts.get(signal.account());
    if (account == null) {
      return;
    }
    switch (signal) {
      case AccountSignal.PresenceChanged change -> {
        if (account.learn(change)) {
          tellSoon(account);
        }
      }
      case AccountSignal.StatusTextChanged change -> {
        if (account.learn(change)) {
          tellSoon(account);
        }
      }
      case AccountSignal.Added _ -> lookAgain(account, one -> !one.seesAll());
      case AccountSignal.Removed(_, RoomId room, _) -> {
        lookAgain(account, Sighting::seesSome);
        eachWatch(account, watch -> watch.left(room));
      }
      case AccountSignal.VisibilityChanged _ -> lookAgain(account, _ -> true);
      case AccountSignal.SignInsEnded _ -> lookAgain(account, Sighting::seesSome);
      case AccountSignal.Invited _,
          AccountSignal.Revoked _,
          AccountSignal.Renamed _,
          AccountSignal.DevicesChanged _,
          AccountSignal.OtherDevicesChanged _,
          AccountSignal.KeysLow _,
          AccountSignal.Queued _,
          AccountSignal.StatusSet _,
          AccountSignal.MarkerMoved _,
          AccountSignal.OthersRead _,
          AccountSignal.UnreadChanged _,
          AccountSignal.Undelivered _,
          AccountSignal.SeatChanged _,
          AccountSignal.Displaced _ -> {} // nothing that others see
    }
  }

  /// Of the account, and of all others as its own sessions see them.
  private void lookAgain(WatchedAccount account, Predicate<Sighting> which) {
    looks.add(account.sightings().stream().filter(which).toList());
    eachWatch(account, watch -> looks.add(watch.sightings().stream().filter(which).toList()));
  }

  private static void eachWatch(WatchedAccount account, Consumer<PresenceWatch> action) {
    List.copyOf(account.watches()).forEach(action);
  }

  /// Who did not wait for it may have missed signals until now.
  @Override
  public void listening(AccountId account) {
    loop.execute(
        () -> {
          WatchedAccount watched = accounts.get(account);
          if (watched != null && !watched.listening().tryComplete()) {
            finds.add(List.of(watched));
            looks.add(watched.sightings());
          }
        });
  }

  /// Has something else looked at anew whenever all is compared.
  void onCompareAll(Runnable comparison) {
    alsoCompared = comparison;
  }

  /// Signals may have been lost: looks at all anew, now or when enough time has passed since the
  /// last time.
  void compareAll() {
    if (comparing) {
      return;
    }
    comparing = true;
    long wait = Math.max(0, comparesAt - wheel.nanos());
    wheel.after(
        Duration.ofNanos(wait),
        () -> {
          comparing = false;
          comparesAt = wheel.nanos() + BETWEEN_COMPARISONS.toNanos();
          accounts.values().forEach(account -> looks.add(account.sightings()));
          finds.add(accounts.values());
          alsoCompared.run();
        });
  }
}
