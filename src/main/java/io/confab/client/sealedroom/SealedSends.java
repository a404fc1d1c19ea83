package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.SealedCalls;
import io.confab.client.sealed.Outgoing;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.time.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Sends lines to sealed rooms, of each room one after another: of what a device encrypts with one
/// key, all have to get the messages in the order of their numbers. [SendRules] say what is done
/// about a refusal.
final class SealedSends {
  private final ServerCalls calls;
  private final Roster roster;
  private final Preparation preparation;
  private final DeviceThread device;
  private final Pauses pauses;
  private final Backoff backoff;
  private final WaitingLines waiting = new WaitingLines();

  /// Those that the device keeps until their outcome is known.
  private final Set<SealedSend> posted = new HashSet<>();

  private final Map<RoomId, ApiException> stuck = new HashMap<>();
  private Promise<Void> queueOpened = Promise.promise();
  private boolean open;
  private boolean resuming;
  private boolean resumed;
  private boolean closed;

  SealedSends(
      ServerCalls calls,
      Roster roster,
      Preparation preparation,
      DeviceThread device,
      Pauses pauses,
      Backoff backoff) {
    this.calls = calls;
    this.roster = roster;
    this.preparation = preparation;
    this.device = device;
    this.pauses = pauses;
    this.backoff = backoff;
  }

  /// The line once it is stored. It waits for [#resume].
  Future<SealedLine> say(RoomId room, String text) {
    SealedSend send = SealedSend.of(room, text, backoff);
    if (closed) {
      return Future.failedFuture(closed());
    }
    if (!waiting.add(send)) {
      return Future.failedFuture(
          ApiException.local(ApiException.QUEUE_FULL, "too many lines of this room wait"));
    }
    next(room);
    return send.line().future();
  }

  /// Sends what was on its way when the program ended, then what waits; nothing when called again.
  ///
  /// @return what is sent again
  Future<List<SealedSend>> resume() {
    if (resuming) {
      return Future.succeededFuture(List.of());
    }
    resuming = true;
    return device
        .ask(own -> own.pendings().stream().map(this::again).toList())
        .map(
            kept -> {
              resumed = true;
              kept.forEach(one -> waiting.occupy(one.send().room()));
              kept.forEach(one -> post(one.send(), one.kept()));
              waiting.rooms().forEach(this::next);
              return kept.stream().map(Resumed::send).toList();
            });
  }

  private record Resumed(Outgoing kept, SealedSend send) {}

  private Resumed again(Outgoing kept) {
    return new Resumed(kept, SealedSend.of(kept, backoff));
  }

  /// The queue of this device is to be opened anew.
  void due() {
    open = false;
  }

  /// The queue of this device is open: it is one of the devices of its rooms.
  void opened() {
    open = true;
    Promise<Void> now = queueOpened;
    queueOpened = Promise.promise();
    now.complete();
  }

  /// What waits and is not on its way fails: this device takes no part.
  void refuse(ApiException why) {
    Promise<Void> never = queueOpened;
    queueOpened = Promise.promise();
    never.fail(why);
    waiting.idle().forEach(send -> send.line().tryFail(why));
  }

  /// What waits fails as `closed`; what becomes of what is on its way is not known.
  void close() {
    closed = true;
    waiting.clear().forEach(send -> send.line().tryFail(posted.contains(send) ? kept() : closed()));
  }

  private static ApiException kept() {
    return ApiException.local(
        ApiException.CLOSED, "it is kept, and goes out when this device begins again");
  }

  private static ApiException closed() {
    return ApiException.local(ApiException.CLOSED, "the client is closed");
  }

  private void next(RoomId room) {
    if (resumed && !closed) {
      waiting.next(room).ifPresent(this::make);
    }
  }

  private void make(SealedSend send) {
    ApiException behind = stuck.get(send.room());
    if (behind != null) {
      over(send);
      send.line().tryFail(behind);
      return;
    }
    preparation
        .of(send)
        .onSuccess(outgoing -> post(send, outgoing))
        .onFailure(failure -> unmade(send, failure));
  }

  private void unmade(SealedSend send, Throwable failure) {
    if (failure instanceof ApiException refusal
        && send.rules().unmade(refusal) instanceof SendRules.Next.Anew(Duration pause)) {
      pauses.pause(pause).onSuccess(_ -> make(send));
    } else {
      fail(send, failure);
    }
  }

  private void post(SealedSend send, Outgoing outgoing) {
    if (closed) {
      return;
    }
    posted.add(send);
    calls
        .send(outgoing)
        .onSuccess(stored -> store(send, outgoing, stored))
        .onFailure(
            failure -> {
              if (failure instanceof ApiException refusal && !open && isConflict(refusal)) {
                whenOpened(send, outgoing);
              } else if (failure instanceof ApiException refusal) {
                refused(send, outgoing, send.rules().refused(refusal, outgoing.devices()));
              } else {
                fail(send, failure);
              }
            });
  }

  private static boolean isConflict(ApiException refusal) {
    return refusal.is(ErrorCode.CONFLICT);
  }

  /// A device that was away for long is none of its rooms before its queue is open; how long that
  /// takes says nothing of the line.
  private void whenOpened(SealedSend send, Outgoing outgoing) {
    queueOpened
        .future()
        .onSuccess(_ -> post(send, outgoing))
        .onFailure(failure -> fail(send, failure));
  }

  private void store(SealedSend send, Outgoing outgoing, SealedCalls.EnvelopeStored stored) {
    Seq seq = stored.seq();
    if (seq == null) {
      fail(send, ApiException.local(ErrorCode.INTERNAL.wire(), "a line without a number"));
      return;
    }
    device
        .ask(
            own ->
                own.stored(
                    send.room(),
                    seq,
                    stored.ts(),
                    Letters.full(stored, outgoing.envelopes()),
                    stored.duplicate()))
        .onSuccess(
            line -> {
              over(send);
              send.line().tryComplete(line);
            })
        .onFailure(failure -> fail(send, failure));
  }

  private void refused(SealedSend send, Outgoing outgoing, SendRules.Next next) {
    switch (next) {
      case SendRules.Next.Again(Duration pause) ->
          pauses.pause(pause).onSuccess(_ -> post(send, outgoing));
      case SendRules.Next.WhenOpened(Duration most) ->
          Future.any(queueOpened.future(), pauses.pause(most)).onSuccess(_ -> post(send, outgoing));
      case SendRules.Next.Anew(Duration pause) -> anew(send, pause);
      case SendRules.Next.Kept(ApiException why) -> keep(send, why);
      case SendRules.Next.Over(ApiException why) -> fail(send, why);
    }
  }

  private void anew(SealedSend send, Duration pause) {
    roster.doubt(send.room());
    device
        .tell(own -> own.refused(send.room()))
        .compose(_ -> pauses.pause(pause))
        .onSuccess(_ -> make(send))
        .onFailure(failure -> fail(send, failure));
  }

  private void fail(SealedSend send, Throwable why) {
    device
        .tell(own -> own.forget(send.room()))
        .onComplete(
            forgotten -> {
              boolean kept = posted.contains(send) && forgotten.failed();
              over(send);
              send.line().tryFail(kept ? kept() : why);
            });
  }

  /// It goes again when the program begins anew, and before it nothing else does in its room.
  private void keep(SealedSend send, ApiException why) {
    stuck.put(send.room(), why);
    over(send);
    send.line().tryFail(why);
  }

  /// Whether something goes to this room when the program begins anew.
  boolean keeps(RoomId room) {
    return stuck.containsKey(room);
  }

  private void over(SealedSend send) {
    posted.remove(send);
    waiting.over(send);
    next(send.room());
  }
}
