package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.feed.AccountSignal.UnreadChanged;
import io.confab.marker.MarkerCommand.LookAtUnread;
import io.confab.marker.MarkerCommand.Place;
import io.confab.marker.MarkerCommand.UnreadCount;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/// Looks what the accounts of one event loop have not read where a message was edited or deleted,
/// for many of them at a time and not all the time: what waits for longer is looked at later. No
/// room has more than a quarter of what is next; the rest of it comes when that is done. Beyond the
/// bound of both nothing is looked at. Belongs to its loop.
final class UnreadLooks {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final int AT_ONCE = 200;

  /// Rooms of accounts, 100 bytes each: 1 MB.
  private static final int MOST_WAITING = 10_000;

  private static final int MOST_OF_A_ROOM = MOST_WAITING / 4;

  /// Those that wait to wait, 80 bytes each: 4 MB.
  private static final int MOST_LATER = 50_000;

  /// Messages of a room, above which any may be meant.
  private static final int MOST_SEQS = 4;

  private static final Set<Seq> ANY = Set.of(Seq.ZERO);

  private final Requests bus;
  private final Timers timers;
  private final BiConsumer<AccountId, UnreadChanged> tell;
  private final Map<Key, Set<Seq>> waiting = new LinkedHashMap<>();
  private final Map<RoomId, Integer> ofRooms = new HashMap<>();

  /// Of these any message may be meant.
  private final Set<Key> later = new LinkedHashSet<>();

  private boolean looking;

  private record Key(AccountId account, RoomId room) {}

  /// @param tell gets what is to be told to the sessions of an account
  UnreadLooks(Requests bus, Timers timers, BiConsumer<AccountId, UnreadChanged> tell) {
    this.bus = bus;
    this.timers = timers;
    this.tell = tell;
  }

  /// A session of the account was told that the message changed; zero: that some may have.
  void changed(AccountId account, RoomId room, Seq seq) {
    later(account, room, seq);
    if (!looking) {
      look();
    }
  }

  private void later(AccountId account, RoomId room, Seq seq) {
    Key key = new Key(account, room);
    Set<Seq> known = waiting.get(key);
    if (known != null) {
      waiting.put(key, with(known, seq));
    } else if (isPlaceFor(room)) {
      add(key, Set.of(seq));
    } else if (later.size() < MOST_LATER) {
      later.add(key);
    }
  }

  private boolean isPlaceFor(RoomId room) {
    return waiting.size() < MOST_WAITING && ofRooms.getOrDefault(room, 0) < MOST_OF_A_ROOM;
  }

  private void add(Key key, Set<Seq> seqs) {
    waiting.put(key, seqs);
    ofRooms.merge(key.room(), 1, Integer::sum);
  }

  private void addLater() {
    for (Iterator<Key> each = later.iterator(); each.hasNext() && waiting.size() < MOST_WAITING; ) {
      Key key = each.next();
      if (waiting.containsKey(key)) {
        waiting.put(key, ANY);
        each.remove();
      } else if (isPlaceFor(key.room())) {
        add(key, ANY);
        each.remove();
      }
    }
  }

  private static Set<Seq> with(Set<Seq> known, Seq seq) {
    Set<Seq> all = new HashSet<>(known);
    all.add(seq);
    return all.contains(Seq.ZERO) || all.size() > MOST_SEQS ? ANY : all;
  }

  private void look() {
    addLater();
    looking = !waiting.isEmpty();
    if (looking) {
      List<Place> places = next();
      bus.request(new LookAtUnread(places))
          .onSuccess(news -> news.counts().forEach(this::tell))
          .onFailure(_ -> places.forEach(p -> later(p.account(), p.room(), p.seq())))
          .onComplete(_ -> timers.after(REST, this::look));
    }
  }

  private List<Place> next() {
    List<Place> places = new ArrayList<>();
    for (Iterator<Map.Entry<Key, Set<Seq>>> each = waiting.entrySet().iterator();
        each.hasNext() && places.size() < AT_ONCE; ) {
      Map.Entry<Key, Set<Seq>> entry = each.next();
      Key key = entry.getKey();
      entry.getValue().forEach(seq -> places.add(new Place(key.account(), key.room(), seq)));
      ofRooms.computeIfPresent(key.room(), (_, n) -> n == 1 ? null : n - 1);
      each.remove();
    }
    return places;
  }

  private void tell(UnreadCount count) {
    tell.accept(count.account(), count.signal());
  }
}
