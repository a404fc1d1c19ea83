package io.confab.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which channels are wanted, which the server has confirmed, and what to ask of it next.
///
/// A channel has at most one command under way, so that the confirmations that come back mean what
/// they say however often a channel is wanted and given up in between.
final class Subscriptions {
  /// A command: subscribe to these channels, or unsubscribe from them.
  record Change(boolean subscribe, List<String> channels) {}

  private final int perCommand;
  private final int maxUnderWay;
  private final Set<String> wanted = new LinkedHashSet<>();
  private final Set<String> confirmed = new HashSet<>();
  private final Set<String> underWay = new HashSet<>();
  private Set<String> toSubscribe = new LinkedHashSet<>();
  private final Set<String> toUnsubscribe = new LinkedHashSet<>();

  /// @param perCommand most channels in one command
  /// @param maxUnderWay channels whose confirmation is awaited before no more are asked for
  Subscriptions(int perCommand, int maxUnderWay) {
    this.perCommand = perCommand;
    this.maxUnderWay = maxUnderWay;
  }

  /// Answers those that are confirmed as it is, for which there is nothing to ask.
  List<String> want(Collection<String> channels) {
    wanted.addAll(channels);
    channels.forEach(this::compare);
    return channels.stream()
        .filter(channel -> confirmed.contains(channel) && !underWay.contains(channel))
        .toList();
  }

  void giveUp(Collection<String> channels) {
    channels.forEach(wanted::remove);
    channels.forEach(this::compare);
  }

  private void compare(String channel) {
    boolean differs = wanted.contains(channel) != confirmed.contains(channel);
    toSubscribe.remove(channel);
    toUnsubscribe.remove(channel);
    if (differs && !underWay.contains(channel)) {
      (wanted.contains(channel) ? toSubscribe : toUnsubscribe).add(channel);
    }
  }

  /// The next command to send, if there is one and the bound allows it.
  Optional<Change> next() {
    boolean subscribe = !toSubscribe.isEmpty();
    Set<String> source = subscribe ? toSubscribe : toUnsubscribe;
    if (source.isEmpty() || underWay.size() >= maxUnderWay) {
      return Optional.empty();
    }
    List<String> channels = new ArrayList<>();
    Iterator<String> rest = source.iterator();
    while (rest.hasNext() && channels.size() < perCommand) {
      channels.add(rest.next());
      rest.remove();
    }
    underWay.addAll(channels);
    return Optional.of(new Change(subscribe, channels));
  }

  /// The server confirmed the subscription. Answers whether it is still wanted.
  boolean subscribed(String channel) {
    underWay.remove(channel);
    confirmed.add(channel);
    compare(channel);
    return wanted.contains(channel);
  }

  /// The server confirmed the end of the subscription.
  void unsubscribed(String channel) {
    underWay.remove(channel);
    confirmed.remove(channel);
    compare(channel);
  }

  /// The connection is lost and with it every subscription: all that is wanted is to be asked for
  /// again, in the order in which it was wanted.
  void reset() {
    confirmed.clear();
    underWay.clear();
    toUnsubscribe.clear();
    toSubscribe = new LinkedHashSet<>(wanted);
  }
}
