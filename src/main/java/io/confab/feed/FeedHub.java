package io.confab.feed;

import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import java.util.Collection;
import java.util.List;

/// The node's crossing: what is committed here goes to the event loops that care and to the
/// broker; what the broker brings goes to the event loops that care. Thread-safe.
public final class FeedHub implements Announcer {
  private final Broker broker;
  private final Interests<RoomId> rooms;
  private final Interests<AccountId> accounts;

  public FeedHub(Broker broker) {
    this.broker = broker;
    this.rooms = new Interests<>(broker::watch, broker::unwatch);
    this.accounts = new Interests<>(broker::watch, broker::unwatch);
  }

  @Override
  public void announce(List<Event> events) {
    events.forEach(this::received);
    events.forEach(broker::publish);
  }

  @Override
  public void ring(List<AccountNews> news) {
    news.forEach(this::received);
    news.forEach(broker::publish);
  }

  /// An event came from another node, or from this one.
  public void received(Event event) {
    rooms.of(event.room()).forEach(loop -> loop.event(event));
  }

  /// News came from another node, or from this one.
  public void received(AccountNews news) {
    accounts.of(news.account()).forEach(loop -> loop.news(news));
  }

  /// The broker has confirmed that it passes on what happens there.
  public void confirmed(Collection<RoomId> roomIds, Collection<AccountId> accountIds) {
    rooms.heard(roomIds, true);
    accounts.heard(accountIds, true);
    roomIds.forEach(room -> rooms.of(room).forEach(loop -> loop.listening(room)));
    accountIds.forEach(account -> accounts.of(account).forEach(loop -> loop.listening(account)));
  }

  /// The broker is away: until it confirms again nothing comes from other nodes.
  public void down() {
    rooms.heard(rooms.all(), false);
    accounts.heard(accounts.all(), false);
  }

  /// Answers whether the loop may count on hearing everything from now on; if not, it is told
  /// later. While the broker is away there is nothing to wait for.
  boolean watch(RoomId room, FeedLoop loop) {
    return rooms.add(room, loop) || !broker.isUp();
  }

  void unwatch(RoomId room, FeedLoop loop) {
    rooms.remove(room, loop);
  }

  /// The same for the news of an account.
  public boolean watch(AccountId account, FeedLoop loop) {
    return accounts.add(account, loop) || !broker.isUp();
  }

  public void unwatch(AccountId account, FeedLoop loop) {
    accounts.remove(account, loop);
  }
}
