package io.confab.redis;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.NodeId;
import io.confab.protocol.RoomId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Every key and channel name that Confab uses in Redis, in one place.
///
/// Braces are hash tags: in a cluster the keys of one room, or of one account, lie together, so
/// that one script may touch them.
///
/// @param prefix stands before each of them, so that several servers can share one Redis
public record RedisKeys(String prefix) {
  /// Channel of a room's events.
  public String roomChannel(RoomId room) {
    return prefix + "room:" + room;
  }

  /// Channel of an account's signals.
  public String accountChannel(AccountId account) {
    return prefix + "account:" + account;
  }

  /// Channel to which a node publishes and subscribes, to notice that its subscription lives.
  public String beatChannel(NodeId node) {
    return prefix + "node:" + node + ":beat";
  }

  /// Channel of all nodes' digests.
  public String digestChannel() {
    return prefix + "node:digest";
  }

  /// Hash of the newest events of a room, by rev, in one epoch.
  public String recent(RoomId room, Epoch epoch) {
    return prefix + "recent:{" + room + "}:" + epoch;
  }

  /// What the members of a room hear of one of them, as long as it lasts: `typing` and its like.
  public String signal(String kind, RoomId room, AccountId account) {
    return prefix + kind + ":" + room + ":" + account;
  }

  /// Hash of an account's sessions by device.
  public String connections(AccountId account) {
    return prefix + "conn:{" + account + "}";
  }

  /// Sorted set of the accounts that are not offline, by the time of their last beat. Where Redis
  /// is a cluster they are spread over several.
  ///
  /// @param shard empty, or which of several
  public String onlineUsers(String shard) {
    return online("users", shard);
  }

  /// Hash of what nodes say of these accounts.
  public String onlineNodes(String shard) {
    return online("nodes", shard);
  }

  /// Hash of the state of both.
  public String onlineState(String shard) {
    return online("state", shard);
  }

  /// What one call has changed of them, in case its answer is lost.
  ///
  /// @param call no other has this name
  public String onlineUntold(String shard, String call) {
    return online("untold", shard) + ":" + call;
  }

  private String online(String what, String shard) {
    return prefix + "online_" + what + (shard.isEmpty() ? "" : ":{" + shard + "}");
  }

  /// How many members of a room are not offline, for a moment.
  public String onlineCount(RoomId room) {
    return prefix + "online_count:" + room;
  }

  /// What is known of the seats of a room, in the order in which the scripts have it: those inside,
  /// the line, check-ins, sessions, since when who waits, departures, and the state of all.
  public List<String> seats(RoomId room) {
    return Stream.of("inside", "waiting", "checkin", "sessions", "since", "departures", "state")
        .map(what -> prefix + "seats:{" + room + "}:" + what)
        .toList();
  }

  /// Which node looks after all of them.
  public String seatSweeper() {
    return prefix + "seats:sweeper";
  }

  /// Bucket or count of a rate limit: `what` is counted, of `who`.
  public String limit(String what, String who) {
    return prefix + "limit:" + what + ":{" + who + "}";
  }

  /// Glob patterns of all keys above.
  List<String> keyPatterns() {
    return Stream.concat(
            patterns("recent", "conn", "limit", "typing", "seats").stream(),
            Stream.of(prefix + "online_*"))
        .toList();
  }

  /// The same of the channels.
  List<String> channelPatterns() {
    return patterns("room", "account", "node");
  }

  private List<String> patterns(String... kinds) {
    return Arrays.stream(kinds).map(kind -> prefix + kind + ":*").toList();
  }

  /// The room whose channel this is.
  public Optional<RoomId> roomOf(String channel) {
    return idOf("room:", channel).map(RoomId::parse);
  }

  /// The account whose channel this is.
  public Optional<AccountId> accountOf(String channel) {
    return idOf("account:", channel).map(AccountId::parse);
  }

  private Optional<String> idOf(String kind, String channel) {
    String start = prefix + kind;
    return channel.startsWith(start)
        ? Optional.of(channel.substring(start.length()))
        : Optional.empty();
  }
}
