package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.redis.PubSub;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.time.Moments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// A node's exchange of events and signals with the other nodes, through Redis pub/sub. It hears
/// only of rooms and accounts that somebody on this node watches. For any thread.
///
/// Anything may be lost on the way, doubled or overtaken. Of what it published itself a node
/// hears signals of rooms alone.
public final class RedisFanout implements Broker {
  private static final Duration SWEEP = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final RedisCommands commands;
  private final PubSub pubSub;
  private final RedisKeys keys;
  private final PublicationCodec codec;
  private final WatchedChannels interest;
  private final Set<String> live = ConcurrentHashMap.newKeySet();
  private final LongAdder refused = new LongAdder();
  private volatile Consumer<byte[]> digests = _ -> {};
  private long timer = -1;

  public RedisFanout(
      Vertx vertx, RedisCommands commands, PubSub pubSub, RedisKeys keys, PublicationCodec codec) {
    this.vertx = vertx;
    this.commands = commands;
    this.pubSub = pubSub;
    this.keys = keys;
    this.codec = codec;
    this.interest = new WatchedChannels(channel -> pubSub.subscribe(Set.of(channel)), this::leave);
  }

  private void leave(String channel) {
    live.remove(channel);
    pubSub.unsubscribe(Set.of(channel));
  }

  /// Begins to listen. Does not wait for Redis.
  public void open(Listener listener) {
    timer = Moments.periodic(vertx, SWEEP, interest::sweep);
    pubSub.open(new Decoder(listener));
  }

  /// Whether Redis is heard at all; single rooms may still be waiting for their confirmation.
  @Override
  public boolean isUp() {
    return pubSub.isUp();
  }

  /// Publications that were not ours, or not of this database, since the start.
  public long refused() {
    return refused.sum();
  }

  @Override
  public void publish(SealedEvent event) {
    commands.publish(keys.roomChannel(event.event().room()), event.bytes());
  }

  @Override
  public void publish(RoomSignal signal) {
    if (commands.offer(keys.roomChannel(signal.room()), codec.encode(signal))) {
      keep(signal);
    }
  }

  @Override
  public void keep(RoomSignal signal) {
    RoomSignal.State state = signal.state();
    if (state != null) {
      keep(keys.signal(state.kind(), signal.room(), signal.account()), state.lasts());
    }
  }

  @Override
  public void publish(QueuedSend send) {
    commands.publish(keys.roomChannel(send.onRoom()), codec.encode(send));
  }

  private void keep(String key, Duration lasts) {
    commands.send(
        key,
        lasts.isZero()
            ? Request.cmd(Command.DEL).arg(key)
            : Request.cmd(Command.SET).arg(key).arg("").arg("PX").arg(lasts.toMillis()));
  }

  @Override
  public void publish(AccountSignal signal) {
    commands.publish(keys.accountChannel(signal.account()), codec.encode(signal));
  }

  @Override
  public void publish(AccountSignal signal, Runnable lost) {
    commands.publish(keys.accountChannel(signal.account()), codec.encode(signal), lost);
  }

  public void publishDigest(byte[] digest) {
    commands.publish(keys.digestChannel(), digest);
  }

  /// Hears the digests of all nodes, its own too, as they were published. To be called before
  /// anything is watched: then digests are heard before whatever they tell of.
  public void hearDigests(Consumer<byte[]> listener) {
    digests = listener;
    pubSub.subscribe(Set.of(keys.digestChannel()));
  }

  @Override
  public void watch(RoomId room) {
    interest.watch(keys.roomChannel(room));
  }

  @Override
  public void unwatch(RoomId room) {
    interest.unwatch(keys.roomChannel(room));
  }

  @Override
  public void watch(AccountId account) {
    interest.watch(keys.accountChannel(account));
  }

  @Override
  public void unwatch(AccountId account) {
    interest.unwatch(keys.accountChannel(account));
  }

  /// Whether the subscription of the room is confirmed. Who watches and then asks either gets
  /// true or will get `confirmed`.
  @Override
  public boolean hears(RoomId room) {
    return live.contains(keys.roomChannel(room));
  }

  /// Whether the subscription of the account is confirmed. As for rooms.
  @Override
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
      if (channel.equals(keys.digestChannel())) {
        digests.accept(payload);
        return;
      }
      if (codec.isOwn(payload)) {
        return;
      }
      RoomId room = keys.roomOf(channel).orElse(null);
      if (room != null) {
        codec.decode(room, payload).ifPresentOrElse(this::heard, refused::increment);
        return;
      }
      keys.accountOf(channel)
          .flatMap(account -> codec.decodeSignal(account, payload))
          .ifPresentOrElse(listener::signal, refused::increment);
    }

    private void heard(RoomPublication publication) {
      switch (publication) {
        case Event event -> listener.event(event);
        case RoomSignal signal -> listener.signal(signal);
        case QueuedSend send -> listener.queued(send);
        case RoomPublication.Unknown _ -> {}
      }
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
    public void lost(Set<String> channels) {
      live.removeAll(channels);
    }
  }
}
