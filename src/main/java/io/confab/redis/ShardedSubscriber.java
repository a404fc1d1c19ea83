package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Subscribes in a cluster: each channel at the master of its slot, over one connection to each
/// master. Channels follow their slot; channels without a known server wait for the next slot
/// map.
final class ShardedSubscriber implements ChannelSubscriber {
  private final SubscribedConnection.Plan plan;
  private final ClusterMap cluster;
  private final Owner owner;
  private final Consumer<SlotMap> follower;
  private final Map<RedisServer, Shard> shards = new ConcurrentHashMap<>();
  private final Map<String, Shard> placed = new HashMap<>();
  private final Set<String> unplaced = new HashSet<>();
  private SlotMap map = SlotMap.EMPTY;
  private @Nullable Beats beats;
  private volatile boolean allPlaced;

  ShardedSubscriber(SubscribedConnection.Plan plan, ClusterMap cluster, Owner owner) {
    this.plan = plan;
    this.cluster = cluster;
    this.owner = owner;
    Context context = plan.context();
    this.follower = fresh -> context.runOnContext(turn -> follow(fresh));
  }

  @Override
  public void open(Beats common) {
    beats = common;
    cluster.follow(follower);
    follow(cluster.current());
  }

  private void follow(SlotMap fresh) {
    if (beats == null) {
      return;
    }
    if (!fresh.equals(map)) {
      map = fresh;
      leave();
    }
    for (RedisServer master : map.masters()) {
      enter(master, beats);
    }
    place(Set.copyOf(unplaced));
  }

  /// Takes every channel from where it does not lie any more.
  private void leave() {
    Map<Shard, List<String>> moved = new HashMap<>();
    placed.forEach(
        (channel, shard) -> {
          if (!shard.isAt(map.master(channel))) {
            moved.computeIfAbsent(shard, first -> new ArrayList<>()).add(channel);
          }
        });
    moved.forEach(
        (shard, channels) -> {
          shard.connection.forget(channels);
          shard.refused(channels);
        });
    for (Shard shard : List.copyOf(shards.values())) {
      if (!map.masters().contains(shard.server)) {
        shards.remove(shard.server);
        shard.connection.close();
      }
    }
  }

  private void enter(RedisServer master, Beats common) {
    Optional<Beats> own = map.channelAt(master, common.channel() + ":").map(common::on);
    Shard shard = shards.get(master);
    if (shard != null) {
      own.ifPresent(shard.connection::beatOn);
    } else if (own.isPresent()) {
      Shard fresh = new Shard(master);
      shards.put(master, fresh);
      fresh.connection.open(own.get());
    }
  }

  private void place(Set<String> channels) {
    Map<Shard, Set<String>> places = new HashMap<>();
    for (String channel : channels) {
      Shard shard = map.master(channel).map(shards::get).orElse(null);
      if (shard == null) {
        unplaced.add(channel);
      } else {
        unplaced.remove(channel);
        placed.put(channel, shard);
        places.computeIfAbsent(shard, first -> new HashSet<>()).add(channel);
      }
    }
    places.forEach((shard, here) -> shard.connection.subscribe(here));
    allPlaced = unplaced.isEmpty();
  }

  @Override
  public void subscribe(Set<String> channels) {
    place(channels);
  }

  @Override
  public void unsubscribe(Set<String> channels) {
    for (String channel : channels) {
      unplaced.remove(channel);
      Shard shard = placed.remove(channel);
      if (shard != null) {
        shard.connection.unsubscribe(Set.of(channel));
      }
    }
    allPlaced = unplaced.isEmpty();
  }

  @Override
  public boolean isUp() {
    return allPlaced
        && !shards.isEmpty()
        && shards.values().stream().allMatch(shard -> shard.connection.isUp());
  }

  @Override
  public void beat() {
    shards.values().forEach(shard -> shard.connection.beat());
  }

  @Override
  public Future<Void> close() {
    beats = null;
    cluster.unfollow(follower);
    return Future.join(shards.values().stream().map(shard -> shard.connection.close()).toList())
        .mapEmpty();
  }

  /// One master and the subscriptions there.
  private final class Shard implements Owner {
    private final RedisServer server;
    private final SubscribedConnection connection;

    Shard(RedisServer server) {
      this.server = server;
      this.connection = new SubscribedConnection(plan, new FixedServer(server), this);
    }

    boolean isAt(Optional<RedisServer> place) {
      return place.filter(server::equals).isPresent();
    }

    @Override
    public void message(String channel, Response payload) {
      owner.message(channel, payload);
    }

    @Override
    public void confirmed(String channel) {
      owner.confirmed(channel);
    }

    @Override
    public void lost(Collection<String> channels) {
      owner.lost(channels);
      cluster.refresh();
    }

    @Override
    public void refused(Collection<String> channels) {
      channels.forEach(placed::remove);
      unplaced.addAll(channels);
      allPlaced = unplaced.isEmpty();
      lost(channels);
    }
  }
}
