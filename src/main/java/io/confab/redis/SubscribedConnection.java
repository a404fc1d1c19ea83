package io.confab.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The subscriptions at one server, over one connection that lives through every loss.
///
/// Four things that the client does not do stand here:
/// - Its connection carries SUBSCRIBE and UNSUBSCRIBE and nothing else: on a subscribed connection
///   the client mixes up the replies of ordinary commands, even of PING.
/// - The future of SUBSCRIBE says only that it was written. Subscribed is what the server confirmed
///   by a push.
/// - Whether the connection lives is found out by publishing to a channel of one's own, through
///   another connection, and hearing it. Too many silent beats ([SilentBeats]) end the connection,
///   at most four beats after it fell silent; [io.confab.time.Ticks] sees to it that a pause of
///   this JVM does not count.
/// - Each new connection subscribes again, in bulk.
final class SubscribedConnection implements ChannelSubscriber, RedisLink.Owner {
  record Plan(Vertx vertx, Context context, RedisLogin login, Dialect dialect) {}

  private static final int CHANNELS_PER_COMMAND = 500;
  private static final int CHANNELS_UNDER_WAY = 4 * CHANNELS_PER_COMMAND;

  private final Plan plan;
  private final ServerLocator locator;
  private final Owner owner;
  private final RedisLink link;
  private final Subscriptions subscriptions;
  private final SilentBeats silence = new SilentBeats();

  private @Nullable Beats beats;
  private @Nullable RedisConnection connection;
  private boolean changing;
  private volatile boolean up;

  SubscribedConnection(Plan plan, ServerLocator locator, Owner owner) {
    this.plan = plan;
    this.locator = locator;
    this.owner = owner;
    this.link = new RedisLink(plan.vertx(), plan.context(), plan.login(), 1, locator, this);
    this.subscriptions =
        new Subscriptions(CHANNELS_PER_COMMAND, CHANNELS_UNDER_WAY, plan.dialect()::slot);
  }

  @Override
  public void open(Beats first) {
    beatOn(first);
    link.open();
  }

  /// From now on these are the beats that tell whether it lives.
  void beatOn(Beats fresh) {
    if (beats != null && !fresh.equals(beats)) {
      subscriptions.forget(List.of(beats.channel()));
    }
    beats = fresh;
    subscriptions.want(List.of(fresh.channel()));
    changeSoon();
  }

  @Override
  public boolean isUp() {
    return up;
  }

  @Override
  public void subscribe(Set<String> channels) {
    subscriptions.want(channels).forEach(owner::confirmed);
    changeSoon();
  }

  @Override
  public void unsubscribe(Set<String> channels) {
    subscriptions.giveUp(channels);
    changeSoon();
  }

  /// Nothing more is said about these channels, which the server has ended or soon ends by itself.
  void forget(Collection<String> channels) {
    subscriptions.forget(channels);
  }

  /// What is wanted but for the beats.
  Set<String> wanted() {
    return subscriptions.wanted(channel -> !isBeat(channel));
  }

  private boolean isBeat(String channel) {
    return beats != null && channel.equals(beats.channel());
  }

  /// What many ask for in one turn of the loop becomes few commands.
  private void changeSoon() {
    if (!changing) {
      changing = true;
      plan.context()
          .runOnContext(
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
      Request request = Request.cmd(plan.dialect().command(next.get().subscribe()));
      next.get().channels().forEach(request::arg);
      current.send(request);
    }
  }

  private void received(RedisConnection from, Response push) {
    if (from != connection) {
      return;
    }
    silence.heard();
    if (push.type() != ResponseType.PUSH) {
      refused(push);
      return;
    }
    String channel = push.get(1).toString();
    switch (plan.dialect().kind(push.get(0).toString())) {
      case "message" -> {
        if (!isBeat(channel)) {
          owner.message(channel, push.get(2));
        }
      }
      case "subscribe" -> subscribed(channel);
      case "unsubscribe" -> unsubscribed(channel);
      default -> {} // a push that was not asked for, such as an invalidation
    }
  }

  private void subscribed(String channel) {
    boolean wanted = subscriptions.subscribed(channel);
    if (isBeat(channel)) {
      up = true;
    } else if (wanted) {
      owner.confirmed(channel);
    }
    changeSoon();
  }

  /// Redis also sends this unasked: then the slot has moved, and a new try here would be
  /// refused.
  private void unsubscribed(String channel) {
    boolean asked = subscriptions.isUnderWay(channel);
    if (subscriptions.unsubscribed(channel) && !asked) {
      notInCharge(List.of(channel));
    }
    changeSoon();
  }

  /// An error: the server names the slot of the command if it is not in charge of it.
  private void refused(Response error) {
    if (error instanceof Throwable failure
        && locator instanceof FixedServer(RedisServer server)
        && Redirect.of(failure, server).orElse(null) instanceof Redirect.Moved moved) {
      notInCharge(subscriptions.underWay(moved.slot()));
      changeSoon();
    } else {
      link.giveUp("Redis refused a subscription: " + error);
    }
  }

  private void notInCharge(List<String> channels) {
    List<String> unplaced =
        channels.stream().filter(subscriptions::isWanted).filter(each -> !isBeat(each)).toList();
    subscriptions.forget(channels);
    owner.refused(unplaced);
  }

  @Override
  public void beat() {
    if (connection == null || beats == null) {
      return;
    }
    if (silence.areTooMany()) {
      link.giveUp("the subscription is silent");
    } else {
      beats.send();
    }
  }

  @Override
  public void up(RedisConnection fresh) {
    connection = fresh;
    silence.begin();
    fresh.handler(push -> received(fresh, push));
    subscriptions.reset();
    change();
  }

  @Override
  public void down() {
    connection = null;
    up = false;
    owner.lost(wanted());
  }

  @Override
  public Future<Void> close() {
    up = false;
    connection = null;
    return link.close();
  }
}
