package io.confab.simulation;

import io.confab.feed.AccountSignal;
import io.confab.feed.Broker;
import io.confab.feed.Event;
import io.confab.feed.QueuedSend;
import io.confab.feed.QueuedSend.Place;
import io.confab.feed.RoomSignal;
import io.confab.feed.SealedEvent;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One node's connection to the exchange: subscriptions begin some time after they are asked for
/// and are confirmed some time after that; a lost connection is noticed late.
final class NodeBroker implements Broker {
  /// The channel that every node follows.
  static final String DIGESTS = "digests";

  private static final double CUT = 0.15;

  private final Exchange exchange;
  private final Dice dice;
  private final SimNode node;
  private final Map<Object, Integer> watchers = new LinkedHashMap<>();
  private final Set<Object> subscribed = new HashSet<>();
  private final Set<Object> live = new HashSet<>();
  private @Nullable Listener listener;
  private boolean up;
  private boolean silent;

  /// Rises with each connection: what belongs to a former one is void.
  private int connection;

  NodeBroker(SimWorld world, SimNode node) {
    this.exchange = world.exchange();
    this.dice = world.dice();
    this.node = node;
    this.up = exchange.isUp();
  }

  void open(Listener to) {
    listener = to;
    exchange.add(this);
    begin(DIGESTS);
  }

  void close() {
    exchange.remove(this);
  }

  SimNode node() {
    return node;
  }

  boolean isSubscribed(Object key) {
    return subscribed.contains(key);
  }

  void tell(Consumer<Listener> publication) {
    if (listener != null) {
      publication.accept(listener);
    }
  }

  /// The other end is gone; this one may take seconds to see it.
  void lost() {
    int mine = ++connection;
    subscribed.clear();
    node.after(
        dice.chance(0.5) ? 0 : dice.millis(0, 3_000),
        () -> {
          if (mine == connection) {
            up = false;
            live.clear();
          }
        });
  }

  /// It carries nothing any more, which is found out after a while; a new one would work.
  void fallSilent(long noticed) {
    silent = true;
    subscribed.clear();
    int mine = ++connection;
    node.after(
        noticed,
        () -> {
          if (mine == connection) {
            up = false;
            live.clear();
            reconnect();
          }
        });
  }

  /// Whether what it publishes goes anywhere.
  boolean carries() {
    return !silent && !node.isAlone();
  }

  void reconnect() {
    if (node.isAlone() || !exchange.isUp()) {
      return;
    }
    silent = false;
    int mine = ++connection;
    node.after(
        dice.millis(1, 600),
        () -> {
          if (mine == connection) {
            up = true;
            live.clear();
            subscribe(new LinkedHashSet<>(watchers.keySet()));
          }
        });
  }

  private void subscribe(Set<Object> keys) {
    int mine = connection;
    node.after(
        dice.millis(0.1, 2),
        () -> {
          if (mine == connection && exchange.isUp() && carries()) {
            keys.stream().filter(watchers::containsKey).forEach(subscribed::add);
            node.after(
                dice.chance(0.1) ? dice.millis(500, 2_500) : dice.millis(0.1, 20),
                () -> confirmed(mine, keys));
          }
        });
  }

  private void confirmed(int mine, Set<Object> keys) {
    if (mine != connection) {
      return;
    }
    Set<RoomId> rooms = new LinkedHashSet<>();
    Set<AccountId> accounts = new LinkedHashSet<>();
    for (Object key : keys) {
      if (subscribed.contains(key)) {
        live.add(key);
      }
      switch (key) {
        case RoomId room -> rooms.add(room);
        case AccountId account -> accounts.add(account);
        case String digests -> {}
        default -> throw new IllegalStateException("no such channel: " + key);
      }
    }
    tell(to -> to.confirmed(rooms, accounts));
  }

  private void begin(Object key) {
    if (watchers.merge(key, 1, Integer::sum) == 1 && !subscribed.contains(key)) {
      subscribe(new LinkedHashSet<>(List.of(key)));
    }
  }

  /// Interest ends a while after the last watcher has gone.
  private void end(Object key) {
    watchers.computeIfPresent(key, (_, count) -> count - 1);
    node.after(
        dice.millis(1_000, 2_000),
        () -> {
          if (watchers.getOrDefault(key, 1) == 0) {
            watchers.remove(key);
            subscribed.remove(key);
            live.remove(key);
          }
        });
  }

  @Override
  public void publish(SealedEvent sealed) {
    if (node.passes() && carries()) {
      Event event = sealed.event();
      exchange.publish(event.room(), to -> to.event(event));
    }
  }

  @Override
  public void publish(RoomSignal signal) {
    if (node.passes() && carries()) {
      exchange.publish(signal.room(), to -> to.signal(signal));
    }
  }

  @Override
  public void keep(RoomSignal signal) {}

  @Override
  public void publish(QueuedSend send) {
    if (node.passes() && carries()) {
      QueuedSend carried = carried(send);
      exchange.publish(Objects.requireNonNull(send.room()), to -> to.queued(carried));
    }
  }

  /// Without what only its own node needs to know; now and then its bodies are too much.
  private QueuedSend carried(QueuedSend send) {
    boolean cuts = dice.chance(CUT);
    return new QueuedSend(
        send.room(),
        send.account(),
        send.epoch(),
        send.number(),
        send.tail(),
        send.places().stream().map(place -> carried(place, cuts)).toList());
  }

  private static Place carried(Place place, boolean cuts) {
    boolean cut = cuts && place.body() != null;
    return new Place(place.registration(), place.seq(), false, cut, cut ? null : place.body());
  }

  @Override
  public void publish(AccountSignal signal) {
    if (node.passes() && carries()) {
      exchange.publish(signal.account(), to -> to.signal(signal));
    }
  }

  @Override
  public void watch(RoomId room) {
    begin(room);
  }

  @Override
  public void unwatch(RoomId room) {
    end(room);
  }

  @Override
  public void watch(AccountId account) {
    begin(account);
  }

  @Override
  public void unwatch(AccountId account) {
    end(account);
  }

  @Override
  public boolean hears(RoomId room) {
    return live.contains(room);
  }

  @Override
  public boolean hears(AccountId account) {
    return live.contains(account);
  }

  @Override
  public boolean isUp() {
    return up;
  }
}
