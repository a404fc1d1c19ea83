package io.confab.redis;

import io.confab.time.Ticks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A subscription to channels that lives through every loss of Redis, and of parts of it. For any
/// thread.
///
/// Messages published while a channel is not confirmed are lost; each `confirmed` is the sign to
/// look for them elsewhere.
public final class PubSub {
  /// Is called on one context, in order.
  public interface Listener {
    void message(String channel, byte[] payload);

    /// The channels are subscribed from now on, for the first time or again; messages published
    /// before may have been missed.
    void confirmed(Set<String> channels);

    /// The channels receive nothing until they are `confirmed` again.
    void lost(Set<String> channels);
  }

  /// Silence is noticed within four of them, which leaves one second of the five in which all is
  /// well again for a new connection and what was missed.
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final byte[] NO_PAYLOAD = {};

  private final Context context;
  private final ChannelSubscriber subscriber;
  private final Beats beats;
  private final Ticks ticks;

  private @Nullable Listener listener;
  private Set<String> confirmed = new HashSet<>();

  /// Subscribes where the commands go.
  ///
  /// @param beatChannel a channel that nobody else uses, nor any that begins with it
  public PubSub(Vertx vertx, RedisCommands commands, String beatChannel) {
    this.context = vertx.getOrCreateContext();
    this.subscriber = commands.subscriber(context, new Told());
    this.ticks = new Ticks(vertx, BEAT, subscriber::beat);
    this.beats = new Beats(beatChannel, channel -> commands.publish(channel, NO_PAYLOAD));
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  public void open(Listener to) {
    context.runOnContext(
        turn -> {
          listener = to;
          ticks.start();
          subscriber.open(beats);
        });
  }

  /// Whether there is a connection to each server and each confirmed a first channel.
  public boolean isUp() {
    return subscriber.isUp();
  }

  /// Subscribes to the channels; `confirmed` says from when on, also for channels that are
  /// subscribed already.
  public void subscribe(Set<String> channels) {
    context.runOnContext(turn -> subscriber.subscribe(channels));
  }

  /// No longer wants to hear the channels; some messages may still come.
  public void unsubscribe(Set<String> channels) {
    context.runOnContext(turn -> subscriber.unsubscribe(channels));
  }

  /// Ends every connection; the listener is not notified.
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(
        turn -> {
          ticks.stop();
          subscriber.close().onComplete(closed);
        });
    return closed.future();
  }

  private final class Told implements ChannelSubscriber.Owner {
    @Override
    public void message(String channel, Response payload) {
      if (listener != null) {
        listener.message(channel, payload.toBytes());
      }
    }

    /// Confirmations come one by one, thousands at a time: those of one turn are passed on
    /// together.
    @Override
    public void confirmed(String channel) {
      if (confirmed.isEmpty()) {
        context.runOnContext(turn -> tellConfirmed());
      }
      confirmed.add(channel);
    }

    private void tellConfirmed() {
      if (listener != null && !confirmed.isEmpty()) {
        Set<String> told = confirmed;
        confirmed = new HashSet<>();
        listener.confirmed(told);
      }
    }

    @Override
    public void lost(Collection<String> channels) {
      channels.forEach(confirmed::remove);
      if (listener != null && !channels.isEmpty()) {
        listener.lost(Set.copyOf(channels));
      }
    }
  }
}
