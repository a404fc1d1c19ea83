package io.confab.feed;

import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.RecentEvents.Span;
import io.confab.metrics.Meters;
import io.confab.protocol.AccountId;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.vertx.core.Future;
import java.util.List;

/// Reads of the streams of one event loop that are behind. What many of them ask for at the
/// same time is read once: from the recent window if it reaches so far back, else from the
/// truth, in pages that begin at multiples of their length, so that positions near each other
/// share one. So a page may begin before what was asked for. Where events are large there are
/// fewer of them in a page. Belongs to its loop.
///
/// Nobody gets a page whose read began before the loop's feed of the room stood where it stands
/// now. So what was edited or deleted, as far as anybody here was told of it, comes as it is
/// now; what changes during the read is told by an event that follows.
public final class SharedPages implements EventSource {
  /// Positions of so many revs share a read of the window.
  private static final int WINDOW_STEP = 32;

  /// Of what may be read at a time, windows have so many parts and pages one.
  private static final int PARTS_OF_WINDOWS = 4;

  private static final int MOST_WINDOWS = 64;
  private static final int MOST_PAGES = 16;

  /// Where the feeds of a loop stand.
  private final RoomFeeds feeds;

  private final EventSource source;
  private final RecentEvents recent;
  private final Meters meters;
  private final SingleFlight<Place, List<Event>> windows;
  private final SingleFlight<Place, EventPage> pages;

  private record Place(RoomId room, Rev after, int limit) {}

  /// @param source the truth
  /// @param mostBytes of all reads under way, where there is enough of it for two
  public SharedPages(
      RoomFeeds feeds, EventSource source, RecentEvents recent, Meters meters, long mostBytes) {
    long reads = mostBytes / EventStore.PAGE_BYTES;
    int ofPages = Math.clamp(reads / (1 + PARTS_OF_WINDOWS), 1, MOST_PAGES);
    this.pages = new SingleFlight<>(ofPages);
    this.windows = new SingleFlight<>(Math.clamp(reads - ofPages, 1, MOST_WINDOWS));
    this.feeds = feeds;
    this.source = source;
    this.recent = recent;
    this.meters = meters;
  }

  /// Answers at least `limit` events after `after`, if there are so many and they are not large,
  /// and one at least. Refusals: `unavailable`, also when the database knows of nothing after it.
  @Override
  public Future<EventPage> read(RoomId room, Rev after, int limit) {
    Rev head = feeds.head(room);
    long missing = head.value() - after.value();
    if (missing <= 0 || missing > recent.size()) {
      return page(room, after, limit, head);
    }
    int step = Math.min(limit, WINDOW_STEP);
    return window(new Place(room, floor(after, step), limit + step), head)
        .compose(
            events ->
                isBefore(events, after)
                    ? window(new Place(room, after, limit + step), head)
                    : Future.succeededFuture(events))
        .compose(
            events -> {
              boolean reaches = !events.isEmpty() && !events.getFirst().rev().isAfter(after.next());
              meters.recentWindowRead(reaches);
              return reaches
                  ? Future.succeededFuture(
                      new EventPage(room, events.getLast().epoch(), events, events.getLast().rev()))
                  : page(room, after, limit, feeds.head(room));
            });
  }

  /// Whether the events are so large that they end where those that were asked for begin.
  private static boolean isBefore(List<Event> events, Rev after) {
    return !events.isEmpty() && !events.getLast().rev().isAfter(after);
  }

  private Future<List<Event>> window(Place place, Rev head) {
    return windows.read(
        place,
        head,
        upTo ->
            recent.read(place.room(), new Span(place.after(), upTo, place.limit()), feeds.epoch()));
  }

  private Future<EventPage> page(RoomId room, Rev after, int limit, Rev head) {
    return page(new Place(room, floor(after, limit), 2 * limit), head)
        .compose(
            page ->
                isBefore(page.events(), after)
                    ? page(new Place(room, after, limit), head)
                    : Future.succeededFuture(page))
        .map(
            page -> {
              if (page.events().isEmpty() || isBefore(page.events(), after)) {
                throw Refusal.unavailable("the room is not known to have gone on");
              }
              return page;
            });
  }

  private Future<EventPage> page(Place place, Rev head) {
    return pages.read(place, head, _ -> source.read(place.room(), place.after(), place.limit()));
  }

  private static Rev floor(Rev rev, int step) {
    return new Rev(rev.value() / step * step);
  }

  @Override
  public Future<Positions> positions(List<RoomId> rooms) {
    return source.positions(rooms);
  }

  @Override
  public Future<Visibilities> visibilities(AccountId account, List<RoomId> rooms) {
    return source.visibilities(account, rooms);
  }
}
