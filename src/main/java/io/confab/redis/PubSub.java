package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A subscription to channels that lives through every loss of Redis. For any thread.
///
/// Four things that the client does not do stand here:
/// - Its connection carries SUBSCRIBE and UNSUBSCRIBE and nothing else: on a subscribed connection
///   the client mixes up the replies of ordinary commands, even of PING.
/// - The future of SUBSCRIBE says only that it was written. Subscribed is what the server confirmed
///   by a push.
/// - Whether the connection lives is found out by publishing to a channel of one's own, through the
///   other connection, and hearing it. Several beats of silence in a row, counted in timer ticks so
///   that a pause of this JVM does not count, end the connection.
/// - Each new connection subscribes again, in bulk.
///
/// What was published while a channel was not confirmed is lost; each `confirmed` is the sign to
/// look for it elsewhere.
public final class PubSub {
  /// Is called on one context, in order.
  public interface Listener {
    void message(String channel, byte[] payload);

    /// From now on these channels are heard, for the first time or again; what was published before
    /// may have been missed.
    void confirmed(Set<String> channels);

    /// Nothing is heard until the next `confirmed`.
    void down();
  }

  private static final int CHANNELS_PER_COMMAND = 500;
  private static final int CHANNELS_UNDER_WAY = 4 * CHANNELS_PER_COMMAND;
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final int SILENT_BEATS = 4;
  private static final byte[] NO_PAYLOAD = {};

  private final Vertx vertx;
  private final Context context;
  private final RedisCommands commands;
  private final String beatChannel;
  private final RedisLink link;
  private final Subscriptions subscriptions =
      new Subscriptions(CHANNELS_PER_COMMAND, CHANNELS_UNDER_WAY);

  private @Nullable Listener listener;
  private @Nullable RedisConnection connection;
  private Set<String> confirmed = new HashSet<>();
  private boolean changing;
  private boolean heard;
  private int silentBeats;
  private long timer = -1;
  private volatile boolean up;

  /// @param commands the way by which the beats go out
  /// @param beatChannel a channel that nobody else uses
  public PubSub(Vertx vertx, RedisUrl url, RedisCommands commands, String beatChannel) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.commands = commands;
    this.beatChannel = beatChannel;
    this.link = new RedisLink(vertx, context, url, 1, new Connected());
    subscriptions.want(List.of(beatChannel));
  }

  /// Begins to connect and to stay connected. Does not wait for it.
  public void open(Listener to) {
    context.runOnContext(
        turn -> {
          listener = to;
          timer = vertx.setPeriodic(BEAT.toMillis(), tick -> beat());
          link.open();
        });
  }

  /// Whether there is a connection and the server confirmed its first channel.
  public boolean isUp() {
    return up;
  }

  /// Wants to hear the channels; `confirmed` tells from when on, also for those already heard.
  public void subscribe(Set<String> channels) {
    context.runOnContext(
        turn -> {
          subscriptions.want(channels).forEach(this::confirmSoon);
          changeSoon();
        });
  }

  /// No longer wants to hear the channels; some messages may still come.
  public void unsubscribe(Set<String> channels) {
    context.runOnContext(
        turn -> {
          subscriptions.giveUp(channels);
          changeSoon();
        });
  }

  /// What many ask for in one turn of the loop becomes one command.
  private void changeSoon() {
    if (!changing) {
      changing = true;
      context.runOnContext(
          turn -> {
            changing = false;
            change();
          });
    }
  }

  private void change() {
    RedisConnection current = connection;
    if (current == null) {
      return;
    }
    for (Optional<Subscriptions.Change> next = subscriptions.next();
        next.isPresent();
        next = subscriptions.next()) {
      Request request =
          Request.cmd(next.get().subscribe() ? Command.SUBSCRIBE : Command.UNSUBSCRIBE);
      next.get().channels().forEach(request::arg);
      current.send(request);
    }
  }

  private void received(RedisConnection from, Response push) {
    if (from != connection) {
      return;
    }
    heard = true;
    if (push.type() != ResponseType.PUSH) {
      link.giveUp("Redis refused a subscription: " + push);
      return;
    }
    String channel = push.get(1).toString();
    switch (push.get(0).toString()) {
      case "message" -> message(channel, push.get(2));
      case "subscribe" -> subscribed(channel);
      case "unsubscribe" -> {
        subscriptions.unsubscribed(channel);
        changeSoon();
      }
      default -> {} // a push that was not asked for, such as an invalidation
    }
  }

  private void message(String channel, Response payload) {
    if (listener != null && !channel.equals(beatChannel)) {
      listener.message(channel, payload.toBytes());
    }
  }

  private void subscribed(String channel) {
    boolean wanted = subscriptions.subscribed(channel);
    if (channel.equals(beatChannel)) {
      up = true;
    } else if (wanted) {
      confirmSoon(channel);
    }
    changeSoon();
  }

  /// Confirmations come one by one, thousands at a time: those of one turn are told together.
  private void confirmSoon(String channel) {
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

  private void beat() {
    if (connection == null) {
      return;
    }
    silentBeats = heard ? 0 : silentBeats + 1;
    heard = false;
    if (silentBeats >= SILENT_BEATS) {
      link.giveUp("the subscription is silent");
    } else {
      commands.publish(beatChannel, NO_PAYLOAD);
    }
  }

  /// Ends the connection; the listener is not told.
  public Future<Void> close() {
    Promise<Void> closed = Promise.promise();
    context.runOnContext(
        turn -> {
          vertx.cancelTimer(timer);
          up = false;
          connection = null;
          link.close().onComplete(closed);
        });
    return closed.future();
  }

  private final class Connected implements RedisLink.Owner {
    @Override
    public void up(RedisConnection fresh) {
      connection = fresh;
      heard = true;
      silentBeats = 0;
      fresh.handler(push -> received(fresh, push));
      subscriptions.reset();
      change();
    }

    @Override
    public void down() {
      connection = null;
      up = false;
      confirmed.clear();
      if (listener != null) {
        listener.down();
      }
    }
  }
}
