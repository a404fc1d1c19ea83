package io.confab.presence;

import io.confab.protocol.AccountId;
import io.confab.protocol.PresenceStatus;
import io.confab.protocol.SessionId;
import io.confab.time.Ticks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What this node says of the accounts that have sessions on it: the most present of these counts.
/// Changes are said within a quarter of a second, and tried again each second while that fails;
/// every account is said again every 10 s, in batches. For any thread.
///
/// A session that was lost counts for 5 s more, so that one that comes anew changes nothing; one
/// that parted for a moment, in which another node may say that the account has come there. Who
/// left while nobody could be told is forgotten when others no longer believe that it is there.
///
/// ```
/// sessions ──► account ──► dirty, or its turn ──► words of a shard, one call at a time
/// ```
///
/// When the answer says that the data in Redis began anew, all accounts of the shard are said again
/// at once, as beats under the old beginning: so that this is no change to others. Nothing is said
/// under the new one until all of that was taken.
public final class PresentAccounts {
  private static final int TURNS = 10;
  private static final int LATE = 5;
  private static final Duration TURN = RedisPresence.BEAT.dividedBy(TURNS);
  private static final Duration GATHER = Duration.ofMillis(250);
  private static final Duration PARTING = Duration.ofMillis(400);

  /// The way to Redis, bounded in time.
  public interface Teller {
    /// Answers since when the data is there.
    Future<Long> say(int shard, long since, List<PresenceWord> words);
  }

  private final PresenceShards spread;
  private final Teller teller;
  private final LongSupplier nanoTime;
  private final List<Shard> shards;

  /// Sessions that were lost, the first to be forgotten first.
  private final Queue<Lost> lost = new ArrayDeque<>();

  private Runnable soon = () -> {};
  private Consumer<Runnable> inAMoment = Runnable::run;
  private boolean closed;
  private long servedUntil;
  private int turn;

  private record Lost(AccountId account, SessionId session, long until) {}

  public PresentAccounts(PresenceShards spread, Teller teller, LongSupplier nanoTime) {
    this.spread = spread;
    this.teller = teller;
    this.nanoTime = nanoTime;
    this.servedUntil = nanoTime.getAsLong();
    this.shards = IntStream.range(0, spread.count()).mapToObj(Shard::new).toList();
  }

  /// Begins to say what is known, until the node ends.
  public void start(Vertx vertx) {
    soon = () -> vertx.setTimer(GATHER.toMillis(), _ -> sayChanges());
    inAMoment = parted -> vertx.setTimer(PARTING.toMillis(), _ -> parted.run());
    vertx.runOnContext(_ -> new Ticks(vertx, TURN, this::tick).start());
  }

  /// A session begins, as one that is online.
  public synchronized void opened(AccountId account, SessionId session) {
    shard(account).put(account, session, PresenceStatus.ONLINE);
  }

  /// A session says what it is; one that is over says nothing.
  public synchronized void shows(AccountId account, SessionId session, PresenceStatus status) {
    Shard shard = shard(account);
    Own own = shard.find(account);
    if (own != null && own.sessions.containsKey(session)) {
      shard.put(account, session, status);
    }
  }

  /// @param parting whether it is meant to be over, and not lost
  public synchronized void closed(AccountId account, SessionId session, boolean parting) {
    if (parting) {
      inAMoment.accept(() -> parted(account, session));
    } else {
      lost.add(new Lost(account, session, nanoTime.getAsLong() + RedisPresence.GRACE.toNanos()));
    }
  }

  private synchronized void parted(AccountId account, SessionId session) {
    shard(account).remove(account, session);
  }

  /// How many accounts are there by this node.
  public synchronized int count() {
    return shards.stream().mapToInt(Shard::size).sum();
  }

  /// The last word of the node: whoever is still there may come back elsewhere for a moment.
  public Future<?> close() {
    List<Future<?>> said = new ArrayList<>();
    synchronized (this) {
      closed = true;
      shards.forEach(shard -> said.addAll(shard.say(shard.lapses())));
    }
    return Future.join(said).transform(_ -> Future.succeededFuture());
  }

  void tick() {
    synchronized (this) {
      if (closed) {
        return;
      }
      long now = nanoTime.getAsLong();
      for (Lost next = lost.peek(); next != null && now - next.until() >= 0; next = lost.peek()) {
        lost.remove();
        shard(next.account()).remove(next.account(), next.session());
      }
      servedUntil = Math.max(servedUntil, now - TURNS * TURN.toNanos());
      for (int i = 0; i < LATE && now - servedUntil >= TURN.toNanos(); i++) {
        servedUntil += TURN.toNanos();
        shards.forEach(shard -> shard.take(turn));
        turn = (turn + 1) % TURNS;
      }
      shards.forEach(Shard::takeOne);
    }
    shards.forEach(Shard::sayDue);
  }

  void sayChanges() {
    shards.forEach(Shard::sayDue);
  }

  private Shard shard(AccountId account) {
    return shards.get(spread.of(account));
  }

  /// One account by its sessions on this node.
  private static final class Own {
    private final Map<SessionId, PresenceStatus> sessions = new HashMap<>(2);

    /// Whether Redis took a word of it before.
    private boolean said;

    private PresenceStatus status() {
      return sessions.values().stream().reduce(PresenceStatus.OFFLINE, PresenceStatus::or);
    }
  }

  /// The accounts of one shard of Redis, guarded by the whole.
  private final class Shard {
    private final int number;
    private final List<Map<AccountId, Own>> turns =
        IntStream.range(0, TURNS).<Map<AccountId, Own>>mapToObj(_ -> new HashMap<>()).toList();

    /// Those of which something new is to be said, with when that was first tried.
    private final Map<AccountId, Long> dirty = new HashMap<>();

    private final Set<AccountId> due = new LinkedHashSet<>();
    private long since;

    /// The beginning before that, and those that are to be said again under it.
    private long before;

    private final Set<AccountId> owed = new LinkedHashSet<>();
    private boolean saying;
    private boolean again;

    Shard(int number) {
      this.number = number;
    }

    int size() {
      return turns.stream().mapToInt(Map::size).sum();
    }

    private Map<AccountId, Own> turnOf(AccountId account) {
      return turns.get(Math.floorMod(Long.hashCode(account.value()) / spread.count(), TURNS));
    }

    @Nullable Own find(AccountId account) {
      return turnOf(account).get(account);
    }

    void put(AccountId account, SessionId session, PresenceStatus status) {
      Own own = turnOf(account).computeIfAbsent(account, _ -> new Own());
      PresenceStatus before = own.status();
      own.sessions.put(session, status);
      changed(account, before, own);
    }

    void remove(AccountId account, SessionId session) {
      Own own = find(account);
      if (own != null && own.sessions.containsKey(session)) {
        PresenceStatus before = own.status();
        own.sessions.remove(session);
        changed(account, before, own);
      }
    }

    private void changed(AccountId account, PresenceStatus before, Own own) {
      if (own.status() == before) {
        return;
      }
      boolean first = dirty.isEmpty();
      dirty.putIfAbsent(account, nanoTime.getAsLong());
      if (saying) {
        again = true;
      } else if (first) {
        soon.run();
      }
    }

    void take(int turn) {
      due.addAll(turns.get(turn).keySet());
    }

    /// One at least each second, which shows whether the data is still there.
    void takeOne() {
      if (due.isEmpty()) {
        turns.stream().flatMap(turn -> turn.keySet().stream()).findFirst().ifPresent(due::add);
      }
    }

    /// Says what is due, unless a call is under way: then it is said after that.
    void sayDue() {
      synchronized (PresentAccounts.this) {
        if (closed || saying || (dirty.isEmpty() && due.isEmpty() && owed.isEmpty())) {
          return;
        }
        saying = true;
        owed.removeAll(dirty.keySet());
        if (!owed.isEmpty()) {
          List<PresenceWord> words = owed.stream().flatMap(this::beat).toList();
          owed.clear();
          again |= !dirty.isEmpty() || !due.isEmpty();
          Future.join(say(words, before)).onComplete(told -> said(told.succeeded()));
          return;
        }
        Set<AccountId> changed = Set.copyOf(dirty.keySet());
        due.removeAll(changed);
        List<PresenceWord> words =
            Stream.concat(changed.stream().map(this::change), due.stream().flatMap(this::beat))
                .toList();
        due.clear();
        Future.join(say(words)).onComplete(told -> said(told.succeeded()));
      }
    }

    private void said(boolean taken) {
      boolean more;
      synchronized (PresentAccounts.this) {
        saying = false;
        more = taken && (again || !due.isEmpty());
        again = false;
      }
      if (more) {
        sayDue();
      }
    }

    private PresenceWord change(AccountId account) {
      return word(account, PresenceWord.Kind.CHANGE);
    }

    /// Of one that nobody took yet it would be no repetition.
    private Stream<PresenceWord> beat(AccountId account) {
      Own own = find(account);
      return own == null
          ? Stream.empty()
          : Stream.of(word(account, own.said ? PresenceWord.Kind.BEAT : PresenceWord.Kind.CHANGE));
    }

    private PresenceWord word(AccountId account, PresenceWord.Kind kind) {
      Own own = find(account);
      return new PresenceWord(account, kind, own == null ? PresenceStatus.OFFLINE : own.status());
    }

    List<PresenceWord> lapses() {
      return turns.stream()
          .flatMap(turn -> turn.entrySet().stream())
          .filter(own -> own.getValue().status().isPresent())
          .map(
              own ->
                  new PresenceWord(own.getKey(), PresenceWord.Kind.LAPSE, own.getValue().status()))
          .toList();
    }

    List<Future<?>> say(List<PresenceWord> words) {
      return say(words, since);
    }

    /// @param known since when the data is there, as far as the words are of the time before
    private List<Future<?>> say(List<PresenceWord> words, long known) {
      List<Future<?>> answers = new ArrayList<>();
      for (int from = 0; from < words.size(); from += RedisPresence.BATCH) {
        List<PresenceWord> batch =
            words.subList(from, Math.min(from + RedisPresence.BATCH, words.size()));
        answers.add(
            teller
                .say(number, known, batch)
                .onSuccess(answer -> heard(answer, known, batch))
                .onFailure(_ -> failed(known, batch)));
      }
      return answers;
    }

    private void heard(long answer, long known, Collection<PresenceWord> batch) {
      synchronized (PresentAccounts.this) {
        batch.forEach(this::taken);
        if (answer != since && (known == since || answer != before)) {
          began(answer);
        }
      }
    }

    /// The data began anew: all is said again at once, under the beginning that the node knew
    /// before; but what has changed since goes as a change.
    private void began(long anew) {
      before = since;
      since = anew;
      if (before != 0) {
        turns.forEach(
            turn ->
                turn.forEach(
                    (account, own) -> {
                      if (own.said && !dirty.containsKey(account)) {
                        owed.add(account);
                      }
                    }));
        owed.addAll(due);
        due.clear();
        again = true;
      }
    }

    private void taken(PresenceWord word) {
      Own own = find(word.account());
      if (own == null || own.status() == word.status()) {
        dirty.remove(word.account());
      }
      if (own != null) {
        own.said = true;
        if (own.sessions.isEmpty() && !dirty.containsKey(word.account())) {
          turnOf(word.account()).remove(word.account());
        }
      }
    }

    private void failed(long known, Collection<PresenceWord> batch) {
      synchronized (PresentAccounts.this) {
        if (known != since) {
          batch.forEach(word -> owed.add(word.account()));
        }
        long now = nanoTime.getAsLong();
        for (PresenceWord word : batch) {
          AccountId account = word.account();
          Own own = find(account);
          Long tried = dirty.get(account);
          if (own != null
              && own.sessions.isEmpty()
              && (tried == null || now - tried > RedisPresence.VALIDITY.toNanos())) {
            dirty.remove(account);
            turnOf(account).remove(account);
          }
        }
      }
    }
  }
}
