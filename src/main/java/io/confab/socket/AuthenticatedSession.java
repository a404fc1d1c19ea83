package io.confab.socket;

import io.confab.account.ChangeCount;
import io.confab.account.ChosenStatus;
import io.confab.feed.AccountSignal;
import io.confab.feed.AccountSignal.Displaced;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientFrame.Resume;
import io.confab.protocol.Epoch;
import io.confab.protocol.Fence;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.SessionId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A session after its `welcome`: a sign-in to go on by, and rooms.
final class AuthenticatedSession {
  private final SessionId id;
  private final Fence fence;
  private final Authorisation authorisation;
  private final RoomStreams streams;
  private final SessionMarkers markers;
  private final SessionQueue queue;
  private final ResumeRequest resume;
  private final Comparison comparison;
  private final List<Runnable> ends = new ArrayList<>();
  private boolean closed;

  /// The last of those under way.
  private Future<Void> resumes = Future.succeededFuture();

  private int resuming;

  AuthenticatedSession(
      SessionId id,
      Fence fence,
      Authorisation authorisation,
      RoomStreams streams,
      SessionMarkers markers,
      SessionQueue queue,
      ResumeRequest resume,
      Comparison comparison) {
    this.id = id;
    this.fence = fence;
    this.authorisation = authorisation;
    whenClosed(queue::close);
    whenClosed(streams::close);
    whenClosed(authorisation::close);
    this.streams = streams;
    this.markers = markers;
    this.queue = queue;
    this.resume = resume;
    this.comparison = comparison;
  }

  Caller caller() {
    return authorisation.caller();
  }

  SessionId id() {
    return id;
  }

  SessionQueue queue() {
    return queue;
  }

  Fence fence() {
    return fence;
  }

  /// The client has been told so.
  void begin() {
    authorisation.begin();
  }

  /// Whether it began under an older epoch than this.
  boolean isStaleUnder(Epoch newer) {
    return resume.isStaleUnder(newer);
  }

  /// Done when it is answered. One is looked at after the other.
  Future<Void> resume(@Nullable String re, Resume frame) {
    resuming++;
    Future<Void> mine = resumes.transform(_ -> resume.run(re, frame));
    resumes = mine;
    return mine.onComplete(_ -> resumed());
  }

  /// What was asked for is not kept for as long as the session lasts.
  private void resumed() {
    resuming--;
    if (resuming == 0) {
      resumes = Future.succeededFuture();
    }
  }

  /// As [Authorisation#renew].
  Future<Duration> renew(Secret token) {
    return authorisation.renew(token);
  }

  /// A signal of the account came.
  void signal(AccountSignal signal) {
    switch (signal) {
      case AccountSignal.Added added -> streams.recheck(added.room(), LeaveReason.REMOVED);
      case AccountSignal.Removed removed -> streams.recheck(removed.room(), removed.reason());
      case AccountSignal.Revoked revoked -> {
        if (revoked.device().equals(caller().device())) {
          check();
        }
      }
      case AccountSignal.SignInsEnded _ -> check();
      case AccountSignal.MarkerMoved moved -> markers.moved(moved);
      case AccountSignal.OthersRead others -> markers.othersRead(others);
      case AccountSignal.UnreadChanged changed -> markers.unread(changed);
      case AccountSignal.Queued _ -> queue.look();
      case Displaced _,
          AccountSignal.Invited _,
          AccountSignal.Undelivered _,
          AccountSignal.Renamed _,
          AccountSignal.StatusSet _,
          AccountSignal.DevicesChanged _,
          AccountSignal.OtherDevicesChanged _,
          AccountSignal.KeysLow _ -> {} // the session sees to it
      case AccountSignal.PresenceChanged _,
          AccountSignal.StatusTextChanged _,
          AccountSignal.SeatChanged _,
          AccountSignal.VisibilityChanged _ -> {} // whoever watches sees to it
    }
  }

  /// As [RoomStreams#seat].
  void seat(RoomId room, @Nullable ServerFrame news) {
    streams.seat(room, news);
  }

  /// Signals of seats and queues may have been missed.
  void missedSignals() {
    streams.missedSeats();
    queue.look();
  }

  /// Whether it tells of a newer session of the device.
  boolean isDisplacedBy(AccountSignal signal) {
    return signal instanceof Displaced displaced
        && displaced.device().equals(caller().device())
        && displaced.fence().isAfter(fence);
  }

  private void check() {
    authorisation.check().onFailure(_ -> comparison.again());
  }

  /// As [Comparison#hears].
  boolean hears(ChosenStatus chosen) {
    return comparison.hears(chosen.number());
  }

  /// Compares with the database if the account has changed since the last time. Fails when that
  /// has to be tried again.
  Future<Void> compare(ChangeCount now) {
    return Future.join(
            comparison.run(now, () -> Future.all(streams.compare(), authorisation.check())),
            markers.compare(now))
        .mapEmpty();
  }

  /// Has it compared even if the account has not changed.
  void compareAgain() {
    comparison.again();
  }

  /// Ends something together with the session: at once if that is over.
  void whenClosed(Runnable end) {
    if (closed) {
      end.run();
    } else {
      ends.add(end);
    }
  }

  void close() {
    closed = true;
    ends.forEach(Runnable::run);
    ends.clear();
  }
}
