package io.confab.testing;

import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import io.confab.protocol.RoomId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Keeps what is announced, in the order in which it came.
public final class RecordingAnnouncer implements Announcer {
  public final List<Event> events = new CopyOnWriteArrayList<>();
  public final List<RoomId> doubted = new CopyOnWriteArrayList<>();
  public final List<AccountNews> news = new CopyOnWriteArrayList<>();

  @Override
  public void announce(List<Event> announced) {
    events.addAll(announced);
  }

  @Override
  public void ring(List<AccountNews> rung) {
    news.addAll(rung);
  }

  @Override
  public void ringOnce(List<AccountNews> rung) {
    news.addAll(rung);
  }

  @Override
  public void doubt(List<AccountNews> rings) {
    news.addAll(rings);
  }

  @Override
  public void doubt(RoomId room, List<AccountNews> rings) {
    doubted.add(room);
    news.addAll(rings);
  }
}
