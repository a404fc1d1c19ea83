package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.protocol.NodeId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.RoomId;
import io.confab.protocol.WireName;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Who is there, in Redis: a sorted set of accounts by their last beat, what each node says of each
/// of them, and the state of both, all by the clock of Redis. Every change is one script.
///
/// What is there may be lost at any time: nodes say it again, which is no transition. Every method
/// fails with `unavailable` while Redis is away.
final class RedisPresence {
  /// A node repeats its word in this time.
  static final Duration BEAT = Duration.ofSeconds(10);

  /// How long a word holds.
  static final Duration VALIDITY = Duration.ofSeconds(30);

  /// How long a word holds that lapses.
  static final Duration GRACE = Duration.ofSeconds(5);

  /// Nodes notice within this time that data was lost, and have said it again.
  static final Duration SETTLING = Duration.ofSeconds(4);

  /// So long others wait for a node that counts a room, and take the last count.
  private static final Duration COUNTING = Duration.ofSeconds(5);

  private static final Duration LIFE = Duration.ofDays(1);
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration AFTER_SILENCE = BEAT.plusSeconds(2);

  /// Beats and reads of so many accounts in one call.
  static final int BATCH = 500;

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final PresenceShards shards;
  private final String calls;
  private final AtomicLong call = new AtomicLong();
  private final LostCalls lost = new LostCalls();
  private final RedisScript say = script("online_say.lua");
  private final RedisScript sweep = script("online_sweep.lua");
  private final RedisScript find = script("online_find.lua");
  private final RedisScript untold = script("online_untold.lua");
  private final RedisScript count = script("online_count.lua");

  /// @param calls no other object calls its calls so
  RedisPresence(RedisCommands commands, RedisKeys keys, PresenceShards shards, String calls) {
    this.calls = calls;
    this.commands = commands;
    this.keys = keys;
    this.shards = shards;
  }

  private static RedisScript script(String name) {
    return RedisScript.resource(RedisPresence.class, name);
  }

  /// @param since when the data began that is there now
  record Said(long since, List<Transition> transitions) {}

  /// Takes the words of a node about accounts of one shard.
  ///
  /// @param since when the data began that the node knows; 0: none
  Future<Said> say(NodeId node, int shard, long since, List<PresenceWord> words) {
    List<String> arguments = new ArrayList<>(6 + 3 * words.size());
    arguments.add(node.value());
    arguments.add(Long.toString(since));
    arguments.add(millis(VALIDITY));
    arguments.add(millis(GRACE));
    arguments.add(millis(SETTLING));
    arguments.add(millis(LIFE));
    for (PresenceWord word : words) {
      arguments.add(word.account().toString());
      arguments.add(word.kind().wire());
      arguments.add(word.status().wire());
    }
    return change(say, shard, arguments)
        .map(
            answer ->
                new Said(
                    Long.parseLong(answer.get(0).toString()),
                    transitions(words(answer).subList(1, answer.size()))));
  }

  /// Runs a script that makes transitions: if the answer is lost, they are found where it has put
  /// them.
  private Future<Response> change(RedisScript script, int shard, List<String> arguments) {
    String untold = keys.onlineUntold(shards.name(shard), calls + "-" + call.incrementAndGet());
    List<String> all = new ArrayList<>(all(shard));
    all.add(untold);
    return script.run(commands, all, arguments).onFailure(_ -> lost.add(shard, untold));
  }

  private static List<String> words(Response answer) {
    return answer.stream().map(Response::toString).toList();
  }

  private static List<Transition> transitions(List<String> words) {
    List<Transition> all = new ArrayList<>(words.size() / 4);
    for (int i = 0; i < words.size(); i += 4) {
      all.add(
          new Transition(
              AccountId.parse(words.get(i)),
              WireName.of(PresenceStatus.class, words.get(i + 1)),
              Long.parseLong(words.get(i + 2)),
              Long.parseLong(words.get(i + 3))));
    }
    return all;
  }

  /// The transitions that calls of this object have made without its getting the answer; each is
  /// answered once.
  Future<List<Transition>> untold(int shard) {
    List<String> some = lost.of(shard);
    if (some.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return untold
        .run(commands, some, List.of())
        .map(
            answer -> {
              List<Transition> all = new ArrayList<>();
              for (int i = 0; i < some.size(); i++) {
                String found = answer.get(i).toString();
                lost.looked(shard, some.get(i), !found.isEmpty());
                if (!found.isEmpty()) {
                  all.addAll(transitions(List.of(found.split(" ", -1))));
                }
              }
              return all;
            });
  }

  /// Takes out those of a shard of whom no node says anything any more, unless another node does
  /// that.
  Future<List<Transition>> sweep(NodeId node, int shard) {
    List<String> arguments =
        List.of(
            node.value(),
            millis(VALIDITY),
            millis(LEASE),
            millis(SILENCE),
            millis(AFTER_SILENCE),
            Integer.toString(BATCH));
    return change(sweep, shard, arguments).map(answer -> transitions(words(answer)));
  }

  /// What is known of an account.
  ///
  /// @param version newer than every transition that it shows
  record Known(PresenceStatus status, long version) {}

  /// Those of whom it is known what they are.
  Future<Map<AccountId, Known>> find(List<AccountId> accounts) {
    Map<Integer, List<AccountId>> byShard = new HashMap<>();
    accounts.forEach(
        account ->
            byShard.computeIfAbsent(shards.of(account), _ -> new ArrayList<>()).add(account));
    List<Future<Map<AccountId, Known>>> parts = new ArrayList<>();
    byShard.forEach(
        (shard, all) -> {
          for (int from = 0; from < all.size(); from += BATCH) {
            parts.add(find(shard, all.subList(from, Math.min(from + BATCH, all.size()))));
          }
        });
    return Future.all(parts)
        .map(
            _ -> {
              Map<AccountId, Known> found = new HashMap<>();
              parts.forEach(part -> found.putAll(part.result()));
              return found;
            });
  }

  private Future<Map<AccountId, Known>> find(int shard, List<AccountId> accounts) {
    List<String> arguments = new ArrayList<>(1 + accounts.size());
    arguments.add(millis(SETTLING));
    accounts.forEach(account -> arguments.add(account.toString()));
    String name = shards.name(shard);
    return find.run(commands, List.of(keys.onlineNodes(name), keys.onlineState(name)), arguments)
        .map(answer -> known(accounts, answer));
  }

  private static Map<AccountId, Known> known(List<AccountId> accounts, Response answer) {
    long version = Long.parseLong(answer.get(0).toString());
    Map<AccountId, Known> found = new HashMap<>();
    for (int i = 0; i < accounts.size(); i++) {
      AccountId account = accounts.get(i);
      WireName.find(PresenceStatus.class, answer.get(1 + i).toString())
          .ifPresent(status -> found.put(account, new Known(status, version)));
    }
    return found;
  }

  /// What is kept of a room.
  ///
  /// @param count what was counted last; empty: nothing that is not old
  /// @param due whether the caller is to count it anew: nobody else does
  record Kept(String count, boolean due) {}

  Future<Kept> count(RoomId room) {
    return count
        .run(commands, List.of(keys.onlineCount(room)), List.of(millis(COUNTING)))
        .map(answer -> new Kept(answer.get(0).toString(), answer.get(1).toInteger() == 1));
  }

  /// @param good how long nobody needs another count
  Future<Void> keepCount(RoomId room, String found, Duration good) {
    return count
        .run(
            commands,
            List.of(keys.onlineCount(room)),
            List.of(millis(COUNTING), found, millis(good)))
        .mapEmpty();
  }

  private List<String> all(int shard) {
    String name = shards.name(shard);
    return List.of(keys.onlineUsers(name), keys.onlineNodes(name), keys.onlineState(name));
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
