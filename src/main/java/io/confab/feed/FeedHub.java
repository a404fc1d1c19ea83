package io.confab.feed;

import io.confab.postgres.DatabaseEpoch;
import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// The node's crossing: what is committed here goes to the event loops that care and to the
/// broker; what the broker brings goes to the event loops that care. Thread-safe.
public final class FeedHub implements Announcer, Broker.Listener {
  private final Broker broker;
  private final RecentEvents recent;
  private final DigestLog log;
  private final List<FeedLoop> loops = new CopyOnWriteArrayList<>();
  private final DatabaseEpoch epoch;
  private final Interests<RoomId> rooms;
  private final Interests<AccountId> accounts;

  /// @param recent gets all that is announced here
  /// @param log keeps what is announced for the next digest
  /// @param epoch that of the events of this node
  public FeedHub(Broker broker, RecentEvents recent, DigestLog log, DatabaseEpoch epoch) {
    this.broker = broker;
    this.recent = recent;
    this.log = log;
    this.epoch = epoch;
    this.rooms = new Interests<>(broker::watch, broker::unwatch);
    this.accounts = new Interests<>(broker::watch, broker::unwatch);
  }

  DigestLog log() {
    return log;
  }

  /// From now on the loop is told when everything is to be compared.
  public void add(FeedLoop loop) {
    loops.add(loop);
  }

  @Override
  public void announce(List<Event> events) {
    log.moved(events);
    events.forEach(this::event);
    events.forEach(broker::publish);
    recent.add(events);
  }

  @Override
  public void announce(Event change, Event restated) {
    log.moved(List.of(change));
    event(change);
    broker.publish(change);
    recent.add(List.of(restated, change));
  }

  /// Where the newest events of all rooms may be had.
  public RecentEvents recent() {
    return recent;
  }

  @Override
  public void signal(List<AccountSignal> signals) {
    log.signalled(signals);
    signals.forEach(this::signal);
    signals.forEach(broker::publish);
  }

  @Override
  public void signalOnce(List<AccountSignal> signals) {
    signals.forEach(this::signal);
    signals.forEach(broker::publish);
  }

  @Override
  public void inDoubt(RoomId room, List<AccountSignal> signals) {
    log.inDoubt(room, signals);
  }

  @Override
  public void inDoubt(List<AccountSignal> signals) {
    log.inDoubt(signals);
  }

  @Override
  public void event(Event event) {
    rooms.of(event.room()).forEach(loop -> loop.event(event));
  }

  @Override
  public void signal(AccountSignal signal) {
    accounts.of(signal.account()).forEach(loop -> loop.signal(signal));
  }

  /// What a digest says of a room.
  void moved(RoomId room, Rev rev) {
    rooms.of(room).forEach(loop -> loop.moved(room, rev));
  }

  void look(RoomId room) {
    rooms.of(room).forEach(loop -> loop.look(room));
  }

  void signalAgain(AccountSignal signal) {
    accounts.of(signal.account()).forEach(loop -> loop.signalAgain(signal));
  }

  /// Has every loop compare all it holds with the database.
  void compareAll() {
    loops.forEach(FeedLoop::compareAll);
  }

  @Override
  public void confirmed(Set<RoomId> roomIds, Set<AccountId> accountIds) {
    roomIds.forEach(room -> rooms.of(room).forEach(loop -> loop.listening(room)));
    accountIds.forEach(account -> accounts.of(account).forEach(loop -> loop.listening(account)));
  }

  /// The epoch that the node knows.
  public DatabaseEpoch epoch() {
    return epoch;
  }

  /// Answers whether the loop may count on hearing everything from now on; if not, it is told
  /// later. While the broker is away there is nothing to wait for.
  boolean watch(RoomId room, FeedLoop loop) {
    rooms.add(room, loop);
    return broker.hears(room) || !broker.isUp();
  }

  void unwatch(RoomId room, FeedLoop loop) {
    rooms.remove(room, loop);
  }

  /// The same for the news of an account.
  public boolean watch(AccountId account, FeedLoop loop) {
    accounts.add(account, loop);
    return broker.hears(account) || !broker.isUp();
  }

  public void unwatch(AccountId account, FeedLoop loop) {
    accounts.remove(account, loop);
  }
}
