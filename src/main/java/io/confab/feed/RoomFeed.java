package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the events of one room in order: they come in any way, any number of times, in any order,
/// and go out in rev order, each once.
///
/// ```
///  offer ──► next?  ──► release to every subscription, then what is held behind it
///        ──► ahead? ──► hold; if the hole is still there a moment later, fetch it
///        ──► old?   ──► drop
/// ```
///
/// Before [#learn] has said where the room stands, everything is held. It knows one epoch only:
/// of another one it takes nothing, and for another one there is another feed. Plain code without
/// time, threads and I/O; it belongs to one event loop.
final class RoomFeed {
  private static final Logger LOG = LoggerFactory.getLogger(RoomFeed.class);

  /// Enough to bridge the moment between a page read from the database and the live stream.
  private static final int RECENT = 64;

  private static final int MOST_HELD = 1_000;

  /// What a feed needs done.
  interface Wants {
    /// Read the events after `after` and hand them to [#fetched], or call [#fetchFailed].
    void fetch(RoomFeed feed, Rev after);

    /// An event was released to so many followers.
    void told(Event event, int followers);

    /// The feed remembers and holds events of so many bytes; [#giveUp] may be called.
    void keeps(RoomFeed feed, long bytes);

    /// Call [#check] in a moment.
    void checkSoon(RoomFeed feed);
  }

  private final RoomId room;
  private final Epoch epoch;
  private final Wants wants;
  private final TreeMap<Rev, Event> held = new TreeMap<>();
  private final ArrayDeque<Event> recent = new ArrayDeque<>(1); // most rooms are quiet
  private final List<Subscription> subscriptions = new ArrayList<>();
  private long bytes;
  private @Nullable Rev head;
  private Rev known = Rev.ZERO;

  /// What was known when the last fetch began.
  private Rev wanted = Rev.ZERO;
  private boolean fetching;
  private boolean checking;
  private boolean left;

  RoomFeed(RoomId room, Epoch epoch, Wants wants) {
    this.room = room;
    this.epoch = epoch;
    this.wants = wants;
  }

  RoomId room() {
    return room;
  }

  Epoch epoch() {
    return epoch;
  }

  /// From now on nobody reads for it, remembers what it holds or begins to follow it.
  void leave() {
    left = true;
  }

  boolean isLeft() {
    return left;
  }

  /// Whether it is known where the room stands.
  boolean isReady() {
    return head != null;
  }

  /// The last rev that was released.
  Rev head() {
    return head == null ? Rev.ZERO : head;
  }

  /// The last rev that the room is known to have, released or not.
  Rev known() {
    return known;
  }

  /// The released events after `position`, if they are all still here.
  @Nullable List<Event> since(Rev position) {
    if (!head().isAfter(position)) {
      return List.of();
    }
    Event oldest = recent.peekFirst();
    if (oldest == null || oldest.rev().isAfter(position.next())) {
      return null;
    }
    return recent.stream().filter(event -> event.rev().isAfter(position)).toList();
  }

  /// Remembers the newest of a page as well, if they lead to what is remembered without a hole: who
  /// comes next reads nothing. Not if an event was released since the page was asked for, when it
  /// may show a message as it was.
  ///
  /// @param stood [#head] when the page was asked for
  void remember(Rev stood, List<Event> page) {
    if (head().equals(stood)) {
      Event oldest = recent.peekFirst();
      Rev next = oldest == null ? stood.next() : oldest.rev();
      for (Event event : page.reversed()) {
        if (event.rev().next().equals(next) && recent.size() < RECENT) {
          recent.addFirst(event);
          bytes += event.bytes();
          next = event.rev();
        }
      }
      wants.keeps(this, bytes);
    }
  }

  void offer(Event event) {
    accept(event);
    if (known.isAfter(head())) {
      checkSoon();
    }
  }

  /// The room stands at least at `rev`. The first call says where the feed begins.
  void learn(Rev rev) {
    if (head == null) {
      head = rev;
      dropHeld(rev);
      releaseHeld();
      tell(Subscriber::ready);
    }
    know(rev);
    fetchWhatIsMissing();
  }

  /// The room is said to stand at `rev`. Its events may be just on their way, so they are
  /// waited for a moment.
  void hearOf(Rev rev) {
    know(rev);
    if (head != null && known.isAfter(head)) {
      checkSoon();
    }
  }

  void check() {
    checking = false;
    fetchWhatIsMissing();
  }

  /// @param stands where the room stood when the events were read
  void fetched(Collection<Event> events, Rev stands) {
    fetching = false;
    Rev before = head();
    know(stands);
    events.forEach(this::accept);
    if (events.isEmpty() && head().equals(before)) {
      forgetWhatDoesNotExist();
    }
    fetchWhatIsMissing();
  }

  /// The database knows nothing of it: the announcement was wrong. What was heard since the
  /// fetch began is not meant.
  private void forgetWhatDoesNotExist() {
    dropHeld(wanted);
    if (!known.isAfter(wanted)) {
      known = head();
    }
  }

  void fetchFailed() {
    fetching = false;
    checkSoon();
  }

  private void accept(Event event) {
    if (!event.epoch().equals(epoch)) {
      return;
    }
    if (head == null) {
      hold(event);
    } else if (event.rev().equals(head.next())) {
      release(event);
      releaseHeld();
    } else if (event.rev().isAfter(head)) {
      hold(event);
    }
  }

  private void hold(Event event) {
    know(event.rev());
    if (held.putIfAbsent(event.rev(), event) == null) {
      bytes += event.bytes();
    }
    if (held.size() > MOST_HELD) {
      bytes -= held.pollLastEntry().getValue().bytes(); // known to exist, so it will be fetched
    }
    wants.keeps(this, bytes);
  }

  private void dropHeld(Rev upTo) {
    Collection<Event> dropped = held.headMap(upTo, true).values();
    bytes -= bytes(dropped);
    dropped.clear();
  }

  private static long bytes(Collection<Event> events) {
    return events.stream().mapToLong(Event::bytes).sum();
  }

  /// Forgets all that it remembers and holds: streams that are not past it read pages, and what was
  /// held is fetched.
  void giveUp() {
    bytes = 0;
    recent.clear();
    held.clear();
  }

  private void releaseHeld() {
    while (!held.isEmpty() && held.firstKey().equals(head().next())) {
      Event next = held.pollFirstEntry().getValue();
      bytes -= next.bytes();
      release(next);
    }
  }

  /// What was edited or deleted is not replayed as it was: a stream that is not past it reads
  /// it anew.
  private void forget(Seq changed) {
    while (recent.stream().anyMatch(older -> isAbout(changed, older.subject()))) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    bytes -= recent.removeFirst().bytes();
  }

  private static boolean isAbout(Seq seq, Event.Subject subject) {
    return subject instanceof Event.AboutMessage about && about.seq().equals(seq);
  }

  private void release(Event event) {
    head = event.rev();
    if (event.subject() instanceof Event.OfChange(Seq seq, _, _)) {
      forget(seq);
    }
    if (recent.size() == RECENT) {
      forgetOldest();
    }
    recent.addLast(event);
    bytes += event.bytes();
    wants.keeps(this, bytes);
    wants.told(event, subscriptions.size());
    tell(subscriber -> subscriber.event(event)).forEach(Subscriber::missed);
  }

  /// Passes a signal on as it comes: it has no place in the order of events.
  void signal(RoomSignal signal) {
    tell(subscriber -> subscriber.signal(signal));
  }

  /// Tells every subscriber, whatever one of them throws, and answers those that threw. Downwards,
  /// because a subscriber may detach itself, which moves the last one into its place.
  private List<Subscriber> tell(Consumer<Subscriber> action) {
    List<Subscriber> failed = List.of();
    for (int i = subscriptions.size() - 1; i >= 0; i--) {
      if (i < subscriptions.size()) {
        Subscriber subscriber = subscriptions.get(i).subscriber();
        try {
          action.accept(subscriber);
        } catch (Throwable fault) { // an OutOfMemoryError of direct buffers among them
          if (failed.isEmpty()) {
            LOG.error("A subscriber of room {} failed", room, fault);
            failed = new ArrayList<>();
          }
          failed.add(subscriber);
        }
      }
    }
    return failed;
  }

  private void know(Rev rev) {
    if (rev.isAfter(known)) {
      known = rev;
    }
  }

  private void fetchWhatIsMissing() {
    if (head != null && known.isAfter(head) && !fetching) {
      fetching = true;
      wanted = known;
      wants.fetch(this, head);
    }
  }

  private void checkSoon() {
    if (!checking && !fetching) {
      checking = true;
      wants.checkSoon(this);
    }
  }

  Subscription attach(Subscriber subscriber) {
    Subscription subscription = new Subscription(this, subscriber, subscriptions.size());
    subscriptions.add(subscription);
    return subscription;
  }

  void detach(Subscription subscription) {
    int last = subscriptions.size() - 1;
    Subscription moved = subscriptions.get(last);
    subscriptions.set(subscription.index(), moved);
    moved.moveTo(subscription.index());
    subscriptions.remove(last);
  }

  boolean isUnused() {
    return subscriptions.isEmpty();
  }
}
