package io.confab.socket;

import io.confab.feed.FeedHub;
import io.confab.feed.Guarded;
import io.confab.feed.Handover;
import io.confab.feed.QueueListener;
import io.confab.feed.QueuedSend;
import io.confab.feed.SendNumbers;
import io.confab.protocol.Epoch;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings what is put into queues to the streams of one event loop, to which it belongs. Where a
/// send may have been lost on the way, all streams of its room look into their queues.
final class QueueFeed implements QueueListener {
  private static final Logger LOG = LoggerFactory.getLogger(QueueFeed.class);

  /// As long as a stream holds what comes too early.
  private static final Duration HOLD = Duration.ofMillis(30);

  private static final long LOOK = Long.MAX_VALUE;

  /// A session that wants to hear of the sends of rooms.
  interface Follower {
    /// Something may have been put into its queue unheard.
    void look();
  }

  private final Handover loop;
  private final FeedHub hub;
  private final Timers timers;
  private final Supplier<Epoch> epoch;
  private final Map<RoomId, Followed> rooms = new HashMap<>();
  private final Map<RegistrationId, QueueStream> streams = new HashMap<>();

  /// What waits for the loop, guarded by itself: of each room how many sends there are, or LOOK.
  private final Map<RoomId, Long> told = new LinkedHashMap<>();

  private static final class Followed {
    private final Set<Follower> followers = new LinkedHashSet<>();
    private Epoch epoch;
    private SendNumbers numbers = new SendNumbers();
    private boolean checking;

    Followed(Epoch epoch) {
      this.epoch = epoch;
    }

    /// Each epoch has numbers of its own.
    SendNumbers numbers(Epoch now) {
      if (!now.equals(epoch)) {
        epoch = now;
        numbers = new SendNumbers();
      }
      return numbers;
    }
  }

  /// @param epoch that of what the sessions know
  QueueFeed(Handover loop, FeedHub hub, Timers timers, Supplier<Epoch> epoch) {
    this.loop = loop;
    this.hub = hub;
    this.timers = timers;
    this.epoch = epoch;
  }

  /// From now on the sends of the room are heard, as soon as the room is; then the follower is to
  /// look.
  void follow(RoomId room, Follower follower) {
    Followed followed = rooms.get(room);
    if (followed == null) {
      followed = new Followed(epoch.get());
      rooms.put(room, followed);
      hub.watchQueues(room, this);
    }
    followed.followers.add(follower);
  }

  void unfollow(RoomId room, Follower follower) {
    Followed followed = rooms.get(room);
    if (followed != null && followed.followers.remove(follower) && followed.followers.isEmpty()) {
      rooms.remove(room);
      hub.unwatchQueues(room, this);
    }
  }

  /// A device has one stream, the newest.
  void attach(QueueStream stream) {
    QueueStream former = streams.put(stream.registration(), stream);
    if (former != null) {
      former.end();
    }
  }

  void detach(QueueStream stream) {
    stream.end();
    streams.remove(stream.registration(), stream);
  }

  /// While too much waits for the loop sends are let go of, and read.
  @Override
  public void queued(List<QueuedSend> sends) {
    long bytes = sends.stream().mapToLong(QueuedSend::bytes).sum();
    if (!loop.offer(bytes, () -> Guarded.each(sends, this::heard))) {
      for (QueuedSend send : sends) {
        hub.epoch().saw(send.epoch());
        if (send.room() != null) {
          tell(send.room(), LOOK);
        }
      }
    }
  }

  @Override
  public void queuedUpTo(RoomId room, long number) {
    tell(room, number);
  }

  @Override
  public void look(RoomId room) {
    tell(room, LOOK);
  }

  /// Of each room one word waits for the loop.
  private void tell(RoomId room, long number) {
    boolean first;
    synchronized (told) {
      first = told.isEmpty();
      told.merge(room, number, Math::max);
    }
    if (first) {
      loop.execute(this::hearOfTold);
    }
  }

  private void hearOfTold() {
    Map<RoomId, Long> now;
    synchronized (told) {
      now = new LinkedHashMap<>(told);
      told.clear();
    }
    now.forEach(
        (room, number) -> {
          if (number == LOOK) {
            lookAt(room);
          } else {
            heardOf(room, number);
          }
        });
  }

  /// Anything may have passed unheard. Who follows several rooms looks once. May be called on any
  /// thread.
  void lookAll() {
    loop.execute(
        () -> {
          Set<Follower> all = new LinkedHashSet<>();
          for (Followed followed : rooms.values()) {
            followed.numbers.giveUp();
            all.addAll(followed.followers);
          }
          all.forEach(Follower::look);
        });
  }

  /// What was stored under another epoch is a reason to look, and nothing more.
  private void heard(QueuedSend send) {
    RoomId room = send.room();
    Followed followed = room == null ? null : rooms.get(room);
    if (room == null || followed == null) {
      return;
    }
    if (!send.epoch().equals(epoch.get())) {
      hub.epoch().saw(send.epoch());
      lookAt(room);
      return;
    }
    for (QueuedSend.Place place : send.places()) {
      QueueStream stream = streams.get(place.registration());
      if (stream != null && stream.epoch().equals(send.epoch())) {
        give(stream, place, send.tail());
      }
    }
    followed.numbers(send.epoch()).heard(send.number());
    checkSoon(room, followed);
  }

  private static void give(QueueStream stream, QueuedSend.Place place, byte[] tail) {
    try {
      stream.queued(place, tail);
    } catch (Throwable fault) { // an OutOfMemoryError of direct buffers among them
      LOG.error("A stream of a queue failed", fault);
      stream.look();
    }
  }

  private void heardOf(RoomId room, long number) {
    Followed followed = rooms.get(room);
    if (followed != null) {
      followed.numbers(epoch.get()).know(number);
      checkSoon(room, followed);
    }
  }

  private void checkSoon(RoomId room, Followed followed) {
    if (followed.numbers.isMissingSome() && !followed.checking) {
      followed.checking = true;
      timers.after(
          HOLD,
          () -> {
            followed.checking = false;
            if (followed.numbers.isMissingSome() && followed.equals(rooms.get(room))) {
              lookAt(room);
            }
          });
    }
  }

  private void lookAt(RoomId room) {
    Followed followed = rooms.get(room);
    if (followed != null) {
      followed.numbers.giveUp();
      new ArrayList<>(followed.followers).forEach(Follower::look);
    }
  }
}
