package io.confab.redis;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/// Which channels are wanted of a server, which it has confirmed, and what to ask of it next.
///
/// A channel has at most one command under way, so that the confirmations that come back mean what
/// they say however often a channel is wanted and given up in between. The channels of a command
/// are of one slot.
final class Subscriptions {
  /// A command: subscribe to these channels, or unsubscribe from them.
  record Change(boolean subscribe, List<String> channels) {}

  private final int perCommand;
  private final int maxUnderWay;
  private final ToIntFunction<String> slots;
  private final Set<String> wanted = new LinkedHashSet<>();
  private final Set<String> confirmed = new HashSet<>();
  private final Set<String> underWay = new HashSet<>();
  private final ChannelGroups toSubscribe;
  private final ChannelGroups toUnsubscribe;

  /// @param perCommand most channels in one command
  /// @param maxUnderWay channels whose confirmation is awaited before no more are asked for
  /// @param slots of the channels
  Subscriptions(int perCommand, int maxUnderWay, ToIntFunction<String> slots) {
    this.perCommand = perCommand;
    this.maxUnderWay = maxUnderWay;
    this.slots = slots;
    this.toSubscribe = new ChannelGroups(slots);
    this.toUnsubscribe = new ChannelGroups(slots);
  }

  Set<String> wanted(Predicate<String> which) {
    return wanted.stream().filter(which).collect(Collectors.toSet());
  }

  boolean isWanted(String channel) {
    return wanted.contains(channel);
  }

  /// Whether something was asked about the channel that the server has not confirmed yet.
  boolean isUnderWay(String channel) {
    return underWay.contains(channel);
  }

  /// Channels of the slot about which something was asked.
  List<String> underWay(int slot) {
    return underWay.stream().filter(channel -> slots.applyAsInt(channel) == slot).toList();
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
    ChannelGroups source = subscribe ? toSubscribe : toUnsubscribe;
    if (source.isEmpty() || underWay.size() >= maxUnderWay) {
      return Optional.empty();
    }
    List<String> channels = source.take(perCommand);
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

  /// The server confirmed the end of the subscription, or ended it by itself. Answers whether it
  /// is still wanted.
  boolean unsubscribed(String channel) {
    underWay.remove(channel);
    confirmed.remove(channel);
    compare(channel);
    return wanted.contains(channel);
  }

  /// The server is not in charge of these channels: nothing is wanted of it, nor has it anything
  /// to confirm.
  void forget(Collection<String> channels) {
    for (String channel : channels) {
      wanted.remove(channel);
      confirmed.remove(channel);
      underWay.remove(channel);
      compare(channel);
    }
  }

  /// The connection is lost and with it every subscription: all that is wanted is to be asked for
  /// again, in the order in which it was wanted.
  void reset() {
    confirmed.clear();
    underWay.clear();
    toUnsubscribe.clear();
    toSubscribe.clear();
    toSubscribe.addAll(wanted);
  }
}
