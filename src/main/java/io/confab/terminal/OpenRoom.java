package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The room that the person looks at: what is on the screen of it, and that this is read.
final class OpenRoom {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final RoomOpening opening;
  private final RoomView view;
  private final Reading reading;
  private final News news;
  private final SealedAccess sealed;
  private final LongSupplier nanos;
  private final Backoff pauses =
      new Backoff(FIRST_PAUSE, LONGEST_PAUSE, RandomGenerator.getDefault());

  /// A room of which the server could not say whether it is readable, and when it is asked again.
  private @Nullable RoomId unsure;
  private int failures;
  private long askAt;

  OpenRoom(
      RoomOpening opening,
      RoomView view,
      Reading reading,
      News news,
      SealedAccess sealed,
      LongSupplier nanos) {
    this.opening = opening;
    this.view = view;
    this.reading = reading;
    this.news = news;
    this.sealed = sealed;
    this.nanos = nanos;
  }

  SealedAccess sealed() {
    return sealed;
  }

  /// Empty before one was opened.
  Optional<RoomId> room() {
    return view.room();
  }

  boolean shows(RoomId room) {
    return view.shows(room);
  }

  boolean isSealed() {
    return view.seal().isPresent();
  }

  boolean isOwn(SealedLine line) {
    return view.isOwn(line);
  }

  /// Whether a line of it was not shown yet.
  boolean isNew(SealedLine line) {
    return view.isNew(line);
  }

  /// Whether a line of a room may be on the screen.
  boolean stands(RoomId room, Seq seq) {
    return shows(room)
        && view.oldest().filter(oldest -> seq.compareTo(oldest) >= 0).isPresent()
        && seq.compareTo(view.newest()) <= 0;
  }

  /// Another one in its place. Blocks while it asks the server.
  void open(ChatRoom room) {
    opening.open(room);
    reading.opened(room.roomId());
    seen();
    news.seen(room.roomId());
  }

  /// The room may be readable now, if it was not when it was opened. Blocks while it asks.
  void goOn(RoomId room) {
    try {
      if (opening.goOn(room)) {
        seen();
        news.seen(room);
      }
      if (room.equals(unsure)) {
        unsure = null;
        failures = 0;
      }
    } catch (ApiException refusal) {
      if (!refusal.retryable()) {
        throw refusal;
      }
      unsure = room;
      Duration pause = refusal.retryAfter().orElseGet(() -> pauses.delay(failures));
      failures++;
      askAt = nanos.getAsLong() + pause.toNanos();
    }
  }

  /// Asks again where the server could not say, after a pause.
  void goOnAgain() {
    if (unsure != null && nanos.getAsLong() - askAt >= 0) {
      goOn(unsure);
    }
  }

  /// Something is new in it.
  void updated(RoomUpdate update) {
    view.show(update);
    switch (update) {
      case RoomUpdate.RoomSealed _ -> opening.sealed(update.roomId());
      case RoomUpdate.Reset _ -> opening.lookAgain(update.roomId());
      case RoomUpdate.MemberJoined _, RoomUpdate.MemberLeft _, RoomUpdate.MembersChanged _ ->
          opening.membersChanged();
      case RoomUpdate.OfMessage _, RoomUpdate.OfChange _ -> {}
    }
    if (reading.isPaused()) {
      news.add(update);
    }
    seen();
  }

  /// Something may have been missed of it: whether it is sealed, and what this device keeps, is
  /// looked for. Blocks while it asks.
  void missed() {
    view.room()
        .ifPresent(
            room -> {
              opening.lookAgain(room);
              opening.missed(room);
              seen();
            });
  }

  /// This device got lines of the past, and what another one knew of rooms: what it lacks of that
  /// is shown. It stays open as it is. Blocks while it reads what is kept.
  void came() {
    view.room()
        .ifPresent(
            room -> {
              opening.came(room);
              seen();
            });
  }

  /// A line of it was opened.
  void shown(SealedLine line) {
    view.show(line);
    seen();
    if (!stands(line.roomId(), line.seq()) && !reading.isPaused()) {
      sealed.seen(line.roomId(), line.seq(), line.seq()); // late: what stands behind it is not here
    }
  }

  /// What is on the screen is read, and the lifetimes of its sealed lines begin: of no others,
  /// which would be over unread.
  void seen() {
    reading.seen(view.newest());
    if (isSealed() && !reading.isPaused()) {
      view.room()
          .ifPresent(
              room -> view.oldest().ifPresent(oldest -> sealed.seen(room, oldest, view.newest())));
    }
  }

  /// All of it is read, also what this device cannot show. Blocks while it asks the server.
  void allRead() {
    seen();
    view.room().filter(_ -> isSealed()).ifPresent(room -> reading.seen(opening.newestOf(room)));
  }
}
