package io.confab.socket;

import io.confab.feed.EventCommand.Visibilities;
import io.confab.feed.EventSource;
import io.confab.feed.Visibility;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Rev;
import io.confab.protocol.Room;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.RoomGap;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Looks up what streams of one session did not read when they passed over events, because the gap
/// was too large or the account outside: one of these may have ended the membership, or changed who
/// may read the room. Belongs to one event loop.
final class PassedEvents {

  /// The session.
  interface Owner {
    /// The room as the account sees it; empty when it is not in it.
    Future<Optional<Room>> look(RoomId room);

    /// Tries again what fails, as long as the session lasts.
    Future<Void> untilDone(Supplier<Future<?>> attempt);

    boolean isClosed();

    /// That of every position that the client was told.
    Epoch epoch();

    /// The membership has ended, and the client is to know.
    void ended(RoomStream stream, LeaveReason reason);

    /// The membership has ended before anything of it was told.
    void dropped(RoomStream stream);
  }

  private final AccountId account;
  private final EventSource source;
  private final int mostReplayed;
  private final Outbound out;
  private final Owner owner;

  /// Streams that will go on from further on.
  private final Set<RoomStream> skipping = new LazySet<>();

  /// @param mostReplayed events of a room that are told to whom missed them
  PassedEvents(AccountId account, EventSource source, int mostReplayed, Outbound out, Owner owner) {
    this.account = account;
    this.source = source;
    this.mostReplayed = mostReplayed;
    this.out = out;
    this.owner = owner;
  }

  /// For streams that are going to skip events: looks what the account may see by now, and drops
  /// those of rooms that it is not in any more. To be called when it is decided where they begin.
  /// Done when that was looked up, however long it takes.
  Future<Void> review(List<RoomStream> skipping) {
    return skipping.isEmpty()
        ? Future.succeededFuture()
        : owner.untilDone(
            () ->
                source
                    .visibilities(account, skipping.stream().map(RoomStream::room).toList())
                    .onSuccess(visibilities -> review(skipping, visibilities.byRoom())));
  }

  private void review(List<RoomStream> skipping, Map<RoomId, Visibility> now) {
    skipping.forEach(stream -> review(stream, now.getOrDefault(stream.room(), Visibility.NOTHING)));
  }

  private void review(RoomStream stream, Visibility now) {
    if (owner.isClosed()) {
      return;
    }
    if (now.isMember()) {
      stream.look(now);
      lookAtRule(stream);
    } else {
      owner.dropped(stream);
    }
  }

  /// Looks who may read the room, if the stream knows it of an older rev only.
  void lookAtRule(RoomStream stream) {
    if (stream.head().isAfter(stream.ruledAt())) {
      owner.untilDone(() -> stream.isOver() ? Future.succeededFuture() : ruled(stream));
    }
  }

  private Future<?> ruled(RoomStream stream) {
    return owner
        .look(stream.room())
        .onSuccess(
            found ->
                found.ifPresentOrElse(
                    room ->
                        stream.look(room.rev(), room.capacity() != null, room.isReadInsideOnly()),
                    () -> owner.ended(stream, LeaveReason.REMOVED)));
  }

  /// A stream that stood still goes on by the rules of `resume`: a gap that is too large is told as
  /// such.
  void goOn(RoomStream stream) {
    if (stream.head().value() - stream.position().value() <= mostReplayed) {
      stream.open(stream.position());
    } else if (skipping.add(stream)) {
      Rev head = stream.head();
      owner.untilDone(
          () ->
              source
                  .visibilities(account, List.of(stream.room()))
                  .onSuccess(now -> skip(stream, head, now)));
    }
  }

  private void skip(RoomStream stream, Rev head, Visibilities found) {
    skipping.remove(stream);
    Visibility now = found.byRoom().getOrDefault(stream.room(), Visibility.NOTHING);
    if (owner.isClosed() || !stream.isOutside()) {
      return;
    }
    if (now.isMember()) {
      stream.look(now);
      out.send(new RoomGap(stream.room(), owner.epoch(), head));
      stream.open(head);
    } else {
      owner.ended(stream, LeaveReason.REMOVED);
    }
  }
}
