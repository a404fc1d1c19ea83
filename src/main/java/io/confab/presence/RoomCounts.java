package io.confab.presence;

import io.confab.presence.PresenceCommand.Less;
import io.confab.presence.PresenceCommand.OnlineCount;
import io.confab.presence.PresenceStore.Shown;
import io.confab.presence.RedisPresence.Known;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Counts who is there of the members of rooms. One node counts for all: what it found stands in
/// Redis for as long as nobody is told another count anyway, and for others while one counts anew.
/// May be used from any event loop.
final class RoomCounts {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// Members who are read at a time.
  private static final int PAGE = 2_000;

  private final PresenceStore store;
  private final RedisPresence redis;

  RoomCounts(PresenceStore store, RedisPresence redis) {
    this.store = store;
    this.redis = redis;
  }

  /// How long a count of a room of so many members is good enough.
  static Duration period(long members) {
    Duration period = Duration.ofMillis(members);
    return period.compareTo(SHORTEST) > 0 ? period : SHORTEST;
  }

  /// Fails with `unavailable` while nobody can say.
  Future<OnlineCount> count(RoomId room) {
    return redis
        .count(room)
        .compose(
            kept ->
                kept.due() || kept.count().isEmpty()
                    ? countAnew(room)
                    : Future.succeededFuture(read(kept.count())));
  }

  private Future<OnlineCount> countAnew(RoomId room) {
    return Future.all(store.rooms(null, List.of(room)), countShown(room, null, new Counted()))
        .map(
            both -> {
              List<PresenceCommand.FoundRoom> found = both.resultAt(0);
              Counted counted = both.resultAt(1);
              return counted.of(found.isEmpty() ? 0 : found.getFirst().members());
            })
        .onSuccess(count -> redis.keepCount(room, write(count), period(count.members())));
  }

  private Future<Counted> countShown(RoomId room, @Nullable AccountId after, Counted counted) {
    return store
        .shown(room, after, PAGE)
        .compose(
            shown ->
                redis
                    .find(shown.stream().map(Shown::account).toList())
                    .compose(
                        known -> {
                          counted.add(shown, known);
                          return shown.size() < PAGE
                              ? Future.succeededFuture(counted)
                              : countShown(room, shown.getLast().account(), counted);
                        }));
  }

  /// What was counted of the members so far.
  private static final class Counted {
    private final Map<AccountId, Long> less = new HashMap<>();
    private long online;

    void add(List<Shown> shown, Map<AccountId, Known> known) {
      if (known.size() < shown.size()) {
        throw Refusal.unavailable("who is there is not known yet");
      }
      for (Shown member : shown) {
        Known now = known.get(member.account());
        if (now != null && now.status().isPresent()) {
          online++;
          member.hiddenFrom().forEach(viewer -> less.merge(viewer, 1L, Long::sum));
        }
      }
    }

    OnlineCount of(long members) {
      List<Less> all = new ArrayList<>();
      less.forEach((viewer, by) -> all.add(new Less(viewer, by)));
      all.sort(OnlineCount.BY_VIEWER);
      return new OnlineCount(members, online, all);
    }
  }

  /// Members, those online, then whom less is shown to and by how much.
  static String write(OnlineCount count) {
    StringJoiner text = new StringJoiner(" ");
    text.add(Long.toString(count.members())).add(Long.toString(count.online()));
    count.less().forEach(less -> text.add(less.viewer().toString()).add(Long.toString(less.by())));
    return text.toString();
  }

  static OnlineCount read(String text) {
    String[] words = text.split(" ", -1);
    List<Less> less = new ArrayList<>();
    for (int i = 2; i < words.length; i += 2) {
      less.add(new Less(AccountId.parse(words[i]), Long.parseLong(words[i + 1])));
    }
    return new OnlineCount(Long.parseLong(words[0]), Long.parseLong(words[1]), less);
  }
}
