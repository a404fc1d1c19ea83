package io.confab.presence;

import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AccountSignal.StatusSet;
import io.confab.feed.AccountSignal.StatusTextChanged;
import io.confab.feed.Announcer;
import io.confab.presence.PresenceCommand.FoundRooms;
import io.confab.presence.PresenceCommand.Heard;
import io.confab.presence.PresenceCommand.Memberships;
import io.confab.presence.PresenceCommand.OnlineCount;
import io.confab.presence.PresenceCommand.Presence;
import io.confab.presence.PresenceCommand.PresenceViews;
import io.confab.presence.PresenceCommand.Presences;
import io.confab.presence.PresenceCommand.Say;
import io.confab.presence.PresenceCommand.SetPresence;
import io.confab.presence.PresenceCommand.Sights;
import io.confab.presence.RedisPresence.Known;
import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.PresenceView;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Who is there to others: what nodes say of it goes to Redis, to those who watch and to the log;
/// what is asked is answered from Redis, or while that is away from what was logged last. May be
/// used from any event loop.
public final class PresentPeople {
  private static final Duration UPKEEP = Duration.ofHours(1);

  /// How long transitions stay in the log.
  static final Duration RETENTION = Duration.ofDays(30);

  private final NodeId node;
  private final PresenceShards shards;
  private final RedisPresence redis;
  private final PresenceStore store;
  private final Announcer announcer;
  private final PresenceLog log;
  private final Transitions transitions;
  private final RoomCounts counts;

  /// @param counted is told how many transitions happened
  PresentPeople(
      NodeId node,
      PresenceShards shards,
      RedisPresence redis,
      PresenceStore store,
      Announcer announcer,
      IntConsumer counted) {
    this.node = node;
    this.shards = shards;
    this.redis = redis;
    this.store = store;
    this.announcer = announcer;
    this.log = new PresenceLog(store::write);
    this.transitions = new Transitions(announcer, log, counted);
    this.counts = new RoomCounts(store, redis);
  }

  /// Begins to write the log and to look for those whose node has died, until the node ends.
  public void start(Vertx vertx) {
    log.start(vertx);
    new PresenceSweep(shards.count(), this::sweep, this::happened).start(vertx);
    keepPartitions();
    vertx.setPeriodic(UPKEEP.toMillis(), _ -> keepPartitions());
  }

  /// Tells what was not told because an answer was lost, too.
  private Future<List<Transition>> sweep(int shard) {
    return redis.untold(shard).onSuccess(this::happened).transform(_ -> redis.sweep(node, shard));
  }

  /// By this node, or by one that it does not know.
  private void happened(List<Transition> found) {
    transitions.happened(node, found);
  }

  /// Writes what waits for the log. Done when that was tried.
  Future<Void> close() {
    return log.write().otherwiseEmpty();
  }

  /// What fails is made up for an hour later: there are partitions for two more days.
  private void keepPartitions() {
    store.keepPartitions(RETENTION);
  }

  Future<Heard> say(Say say) {
    return redis
        .say(say.node(), say.shard(), say.since(), say.words())
        .map(
            said -> {
              transitions.happened(say.node(), said.transitions());
              return new Heard(said.since());
            });
  }

  Future<Presences> find(List<AccountId> accounts) {
    return redis
        .find(accounts)
        .otherwise(Map.of())
        .compose(
            known -> {
              List<AccountId> unknown =
                  accounts.stream().filter(account -> !known.containsKey(account)).toList();
              return unknown.isEmpty()
                  ? Future.succeededFuture(presences(accounts, known, Map.of()))
                  : store.last(unknown).map(last -> presences(accounts, known, last));
            });
  }

  private static Presences presences(
      List<AccountId> accounts, Map<AccountId, Known> known, Map<AccountId, PresenceStatus> last) {
    List<Presence> found = new ArrayList<>(accounts.size());
    for (AccountId account : accounts) {
      Known now =
          known.getOrDefault(
              account, new Known(last.getOrDefault(account, PresenceStatus.OFFLINE), 0));
      found.add(new Presence(account, now.status(), now.version()));
    }
    return new Presences(found, known.size() == accounts.size());
  }

  Future<Sights> look(List<AccountId> viewers, List<AccountId> accounts) {
    return store.look(viewers, accounts).map(Sights::new);
  }

  Future<PresenceViews> read(AccountId viewer, List<AccountId> accounts) {
    Future<List<Sight>> sights = store.look(Collections.nCopies(accounts.size(), viewer), accounts);
    return find(accounts)
        .compose(found -> sights.map(seen -> new PresenceViews(views(found.accounts(), seen))));
  }

  private static List<PresenceView> views(List<Presence> found, List<Sight> sights) {
    List<PresenceView> views = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      Presence presence = found.get(i);
      Sight sight = sights.get(i);
      views.add(sight.view(presence.account(), presence.status(), sight.seenAt(), sight.text()));
    }
    return views;
  }

  Future<Done> set(SetPresence set) {
    String text = set.text();
    Future<?> stored =
        text == null
            ? Future.succeededFuture()
            : change(lost -> store.changeText(set.account(), text, lost))
                .onSuccess(version -> tell(new StatusTextChanged(set.account(), text, version)));
    PresenceStatus status = set.status();
    return status == null
        ? stored.map(Done.DONE)
        : stored
            .compose(_ -> change(lost -> store.choose(set.account(), status, lost)))
            .onSuccess(
                number -> announcer.signal(List.of(new StatusSet(set.account(), status, number))))
            .map(Done.DONE);
  }

  /// Where nobody knows whether it was made, everybody looks when it is over. One that is late is
  /// waited for, and told then.
  private <T> Future<T> change(Function<Supplier<Future<Void>>, Future<T>> statement) {
    AtomicBoolean failed = new AtomicBoolean();
    return statement
        .apply(
            () -> {
              if (failed.get()) {
                announcer.untold();
              }
              return Future.succeededFuture();
            })
        .onFailure(_ -> failed.set(true));
  }

  private void tell(AccountSignal signal) {
    announcer.signalOnce(List.of(signal));
  }

  Future<FoundRooms> rooms(@Nullable AccountId viewer, List<RoomId> rooms) {
    return store.rooms(viewer, rooms).map(FoundRooms::new);
  }

  Future<Memberships> memberships(List<AccountId> viewers, List<RoomId> rooms) {
    return store.memberships(viewers, rooms).map(Memberships::new);
  }

  Future<OnlineCount> count(RoomId room) {
    return counts.count(room);
  }
}
