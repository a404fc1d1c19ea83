package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.redis.PubSub;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// A node's exchange of events and account news with the other nodes, through Redis pub/sub. It
/// hears only of rooms and accounts that somebody on this node watches. For any thread.
///
/// Anything may be lost on the way, doubled or overtaken. A node hears what it published itself.
public final class RedisFanout {
  /// Is called on one context, in order.
  public interface Listener {
    void event(Event event);

    void news(AccountNews news);

    /// From now on these are heard, for the first time or again; what happened before may have been
    /// missed.
    void confirmed(Set<RoomId> rooms, Set<AccountId> accounts);

    /// Nothing is heard until the next `confirmed`.
    void down();
  }

  private static final Duration SWEEP = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final RedisCommands commands;
  private final PubSub pubSub;
  private final RedisKeys keys;
  private final PublicationCodec codec;
  private final Interest interest;
  private final Set<String> live = ConcurrentHashMap.newKeySet();
  private final LongAdder refused = new LongAdder();
  private long timer = -1;

  public RedisFanout(
      Vertx vertx, RedisCommands commands, PubSub pubSub, RedisKeys keys, PublicationCodec codec) {
    this.vertx = vertx;
    this.commands = commands;
    this.pubSub = pubSub;
    this.keys = keys;
    this.codec = codec;
    this.interest = new Interest(channel -> pubSub.subscribe(Set.of(channel)), this::leave);
  }

  private void leave(String channel) {
    live.remove(channel);
    pubSub.unsubscribe(Set.of(channel));
  }

  /// Begins to listen. Does not wait for Redis.
  public void open(Listener listener) {
    timer = vertx.setPeriodic(SWEEP.toMillis(), tick -> interest.sweep());
    pubSub.open(new Decoder(listener));
  }

  /// Whether Redis is heard at all; single rooms may still be waiting for their confirmation.
  public boolean isUp() {
    return pubSub.isUp();
  }

  /// Publications that were not ours, or not of this database, since the start.
  public long refused() {
    return refused.sum();
  }

  /// Tells the other nodes; never waits, never fails.
  public void publish(Event event) {
    commands.publish(keys.roomChannel(event.room()), codec.encode(event));
  }

  /// Tells the other nodes; never waits, never fails.
  public void publish(AccountNews news) {
    commands.publish(keys.accountChannel(news.account()), codec.encode(news));
  }

  /// Begins to watch, until as many `unwatchRoom`. The first watcher is answered by `confirmed`;
  /// for later ones `hears` may be true already.
  public void watchRoom(RoomId room) {
    interest.watch(keys.roomChannel(room));
  }

  public void unwatchRoom(RoomId room) {
    interest.unwatch(keys.roomChannel(room));
  }

  /// Begins to watch, until as many `unwatchAccount`. As `watchRoom`.
  public void watchAccount(AccountId account) {
    interest.watch(keys.accountChannel(account));
  }

  public void unwatchAccount(AccountId account) {
    interest.unwatch(keys.accountChannel(account));
  }

  /// Whether the subscription of the room is confirmed. Who watches and then asks either gets true
  /// or will get `confirmed`.
  public boolean hears(RoomId room) {
    return live.contains(keys.roomChannel(room));
  }

  /// Whether the subscription of the account is confirmed. As for rooms.
  public boolean hears(AccountId account) {
    return live.contains(keys.accountChannel(account));
  }

  /// Stops listening; the listener is not told.
  public Future<Void> close() {
    vertx.cancelTimer(timer);
    return pubSub.close();
  }

  private final class Decoder implements PubSub.Listener {
    private final Listener listener;

    Decoder(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void message(String channel, byte[] payload) {
      RoomId room = keys.roomOf(channel).orElse(null);
      if (room != null) {
        codec.decodeEvent(room, payload).ifPresentOrElse(listener::event, refused::increment);
        return;
      }
      keys.accountOf(channel)
          .flatMap(account -> codec.decodeNews(account, payload))
          .ifPresentOrElse(listener::news, refused::increment);
    }

    @Override
    public void confirmed(Set<String> channels) {
      channels.forEach(channel -> interest.whileWatched(channel, live::add));
      Set<RoomId> rooms = new HashSet<>();
      Set<AccountId> accounts = new HashSet<>();
      for (String channel : channels) {
        keys.roomOf(channel).ifPresent(rooms::add);
        keys.accountOf(channel).ifPresent(accounts::add);
      }
      listener.confirmed(rooms, accounts);
    }

    @Override
    public void down() {
      live.clear();
      listener.down();
    }
  }
}
