package io.confab.testing;

import io.confab.feed.AccountNews;
import io.confab.feed.Announcer;
import io.confab.feed.Event;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Keeps what is announced, in the order in which it came.
public final class RecordingAnnouncer implements Announcer {
  public final List<Event> events = new CopyOnWriteArrayList<>();
  public final List<AccountNews> news = new CopyOnWriteArrayList<>();

  @Override
  public void announce(List<Event> announced) {
    events.addAll(announced);
  }

  @Override
  public void ring(List<AccountNews> rung) {
    news.addAll(rung);
  }
}
