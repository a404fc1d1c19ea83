package io.confab.feed;

import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/// The node's crossing: what is committed here goes to the listeners of the room or account and to
/// the broker, unless nobody is there to hear it; what the broker brings goes to the listeners.
/// Thread-safe.
public final class FeedHub implements Announcer, Broker.Listener {
  private final Broker broker;
  private final RecentEvents recent;
  private final Function<Event, SealedEvent> seal;
  private final DigestLog log;
  private final List<Runnable> comparisons = new CopyOnWriteArrayList<>();
  private final DatabaseEpoch epoch;
  private final Interests<RoomId, RoomListener> rooms;
  private final Interests<AccountId, AccountListener> accounts;
  private final Interests<RoomId, QueueListener> queues;
  private final List<Consumer<List<QueuedSend>>> queued = new CopyOnWriteArrayList<>();
  private volatile boolean alone;

  /// Whether it has been so for so long that no signal of a room is on its way back from Redis.
  private volatile boolean quiet;

  /// Whether a signal that no digest repeats was kept from nodes that were not there.
  private volatile boolean withheld;

  /// @param recent gets all that is announced here
  /// @param seal gives an event its binary form
  /// @param log keeps what is announced for the next digest
  /// @param epoch that of the events of this node
  public FeedHub(
      Broker broker,
      RecentEvents recent,
      Function<Event, SealedEvent> seal,
      DigestLog log,
      DatabaseEpoch epoch) {
    this.broker = broker;
    this.recent = recent;
    this.seal = seal;
    this.log = log;
    this.epoch = epoch;
    this.rooms = new Interests<>(broker::watch, broker::unwatch);
    this.accounts = new Interests<>(broker::watch, broker::unwatch);
    this.queues = new Interests<>(broker::watch, broker::unwatch);
  }

  DigestLog log() {
    return log;
  }

  /// Adds a comparison with the database of all that an event loop holds. May be run on any thread.
  public void onCompareAll(Runnable comparison) {
    comparisons.add(comparison);
  }

  /// Whether no other node is there. One that comes learns from the next digest what was not
  /// published for it, or that it has to compare.
  ///
  /// @param quietly whether nothing that was published before can still come back
  void alone(boolean now, boolean quietly) {
    alone = now;
    quiet = quietly;
    if (!now && withheld) {
      withheld = false;
      untold();
    }
  }

  @Override
  public void announce(List<Event> events) {
    log.moved(events);
    tell(events);
    List<SealedEvent> sealed = events.stream().map(seal).toList();
    publish(sealed);
    recent.add(sealed);
  }

  private void publish(List<SealedEvent> events) {
    if (!alone) {
      events.forEach(broker::publish);
    }
  }

  @Override
  public void restate(List<Restatement> changes) {
    List<Event> events = changes.stream().map(Restatement::change).toList();
    log.moved(events);
    tell(events);
    List<SealedEvent> sealed = events.stream().map(seal).toList();
    publish(sealed);
    List<SealedEvent> stated = new ArrayList<>(2 * changes.size());
    for (int i = 0; i < changes.size(); i++) {
      stated.add(seal.apply(changes.get(i).message()));
      stated.add(sealed.get(i));
    }
    recent.add(stated);
  }

  @Override
  public void announce(RoomSignal signal) {
    if (alone && quiet) {
      broker.keep(signal);
      signal(signal);
    } else {
      broker.publish(signal);
    }
  }

  /// Where the newest events of all rooms may be had.
  public RecentEvents recent() {
    return recent;
  }

  @Override
  public void signal(List<AccountSignal> signals) {
    log.signalled(signals);
    signals.forEach(this::signal);
    if (!alone) {
      signals.forEach(broker::publish);
    }
  }

  @Override
  public void signalOnce(List<AccountSignal> signals) {
    signals.forEach(this::signal);
    if (!withholds()) {
      signals.forEach(signal -> broker.publish(signal, this::untold));
    }
  }

  /// Whether nobody is there to be told. Who comes meanwhile finds it noted.
  private boolean withholds() {
    if (!alone) {
      return false;
    }
    withheld = true;
    return alone;
  }

  /// Adds somebody who hears what this node puts into queues. May be called on any thread.
  public void onQueued(Consumer<List<QueuedSend>> listener) {
    queued.add(listener);
  }

  /// What is of no room is not carried: the devices of the account look.
  @Override
  public void queued(List<QueuedSend> sends) {
    queued.forEach(listener -> listener.accept(sends));
    List<QueuedSend> ofRooms = new ArrayList<>(sends.size());
    List<AccountSignal> loose = new ArrayList<>();
    for (QueuedSend send : sends) {
      AccountId account = send.account();
      if (send.room() != null) {
        ofRooms.add(send);
      } else if (account != null) {
        loose.add(new AccountSignal.Queued(account));
      }
    }
    ofRooms.forEach(send -> log.queued(send.onRoom(), send.epoch(), send.number()));
    tellQueued(ofRooms);
    if (!alone) {
      ofRooms.forEach(broker::publish);
    }
    if (!loose.isEmpty()) {
      signal(loose);
    }
  }

  @Override
  public void queued(QueuedSend send) {
    tellQueued(List.of(send));
  }

  private void tellQueued(List<QueuedSend> sends) {
    Map<QueueListener, List<QueuedSend>> watched = new LinkedHashMap<>();
    for (QueuedSend send : sends) {
      queues
          .of(send.onRoom())
          .forEach(listener -> watched.computeIfAbsent(listener, _ -> new ArrayList<>()).add(send));
    }
    watched.forEach(QueueListener::queued);
  }

  /// Nothing repeats these: who missed one reads what became of the message.
  @Override
  public void undelivered(List<Undelivered> lost) {
    for (Undelivered each : lost) {
      AccountSignal signal =
          new AccountSignal.Undelivered(
              /* account= */ each.sender(),
              each.room(),
              each.seq(),
              /* reader= */ each.account(),
              each.reason());
      signal(signal);
      if (!alone) {
        broker.publish(signal);
      }
    }
  }

  @Override
  public void untold() {
    log.untold();
  }

  @Override
  public void moved(RoomId room, Rev rev) {
    log.moved(room, rev);
    tell(room, rev);
  }

  @Override
  public void event(Event event) {
    tell(List.of(event));
  }

  /// Each listener is told once of all that it watches.
  private void tell(List<Event> events) {
    Map<RoomListener, List<Event>> watched = new LinkedHashMap<>();
    for (Event event : events) {
      rooms
          .of(event.room())
          .forEach(
              listener -> watched.computeIfAbsent(listener, _ -> new ArrayList<>()).add(event));
    }
    watched.forEach(RoomListener::events);
  }

  @Override
  public void signal(RoomSignal signal) {
    rooms.of(signal.room()).forEach(listener -> listener.signal(signal));
  }

  @Override
  public void signal(AccountSignal signal) {
    accounts.of(signal.account()).forEach(listener -> listener.signal(signal));
  }

  /// What a digest says of a room.
  void tell(RoomId room, Rev rev) {
    rooms.of(room).forEach(listener -> listener.moved(room, rev));
  }

  void look(RoomId room) {
    rooms.of(room).forEach(listener -> listener.look(room));
  }

  /// What a digest says of the sends of a room.
  void tell(RoomId room, long number) {
    queues.of(room).forEach(listener -> listener.queuedUpTo(room, number));
  }

  void lookAtQueues(RoomId room) {
    queues.of(room).forEach(listener -> listener.look(room));
  }

  /// Has every loop compare all it holds with the database.
  void compareAll() {
    comparisons.forEach(Runnable::run);
  }

  @Override
  public void confirmed(Set<RoomId> roomIds, Set<AccountId> accountIds) {
    roomIds.forEach(this::look);
    roomIds.forEach(this::lookAtQueues);
    accountIds.forEach(
        account -> accounts.of(account).forEach(listener -> listener.listening(account)));
  }

  /// The epoch that the node knows.
  public DatabaseEpoch epoch() {
    return epoch;
  }

  /// Answers whether the listener hears everything from now on; if not, it is told to look later.
  /// While the broker is away there is nothing to wait for.
  boolean watch(RoomId room, RoomListener listener) {
    rooms.add(room, listener);
    return broker.hears(room) || !broker.isUp();
  }

  void unwatch(RoomId room, RoomListener listener) {
    rooms.remove(room, listener);
  }

  /// Has the listener hear what is put into queues in the room; where that is not heard yet, it is
  /// told to look later.
  public void watchQueues(RoomId room, QueueListener listener) {
    queues.add(room, listener);
  }

  public void unwatchQueues(RoomId room, QueueListener listener) {
    queues.remove(room, listener);
  }

  /// The same for the signals of an account.
  public boolean watch(AccountId account, AccountListener listener) {
    accounts.add(account, listener);
    return broker.hears(account) || !broker.isUp();
  }

  public void unwatch(AccountId account, AccountListener listener) {
    accounts.remove(account, listener);
  }
}
