package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.QueueEvent;
import io.confab.client.QueuedEnvelope;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How far this device takes part, and what it does at each connection: sees to its keys, opens its
/// queue, and sends what was on its way. A device that is not signed does none of the latter.
final class Attendance implements Linking.Joining, Recovering.Part {
  /// The code of [#absent].
  static final String ABSENT = "absent";

  private final KeyUpkeep keys;
  private final Roster roster;
  private final QueueDrain drain;
  private final SealedSends sends;
  private final Consumer<SealedLine> said;
  private final SealedListener listener;
  private final UnprovenLines unproven;
  private @Nullable Future<SealedState> starting;
  private @Nullable SealedState state;
  private final Promise<SealedState> known = Promise.promise();
  private int connection;
  private boolean open;
  private boolean listens;
  private boolean startedAnew;

  /// @param said told of a line that was on its way when the program ended, once it is stored
  Attendance(
      KeyUpkeep keys,
      Roster roster,
      QueueDrain drain,
      SealedSends sends,
      Consumer<SealedLine> said,
      SealedListener listener,
      InstantSource clock) {
    this.keys = keys;
    this.roster = roster;
    this.drain = drain;
    this.sends = sends;
    this.said = said;
    this.listener = listener;
    this.unproven = new UnprovenLines(clock);
  }

  /// Whether this device can say anything; a line that it cannot say now and may soon waits.
  boolean takesLines() {
    return state == null || state == SealedState.READY;
  }

  /// Whether others give this device keys.
  @Override
  public boolean isReady() {
    return state == SealedState.READY;
  }

  @Override
  public Future<Void> publish() {
    return keys.publishUnsigned();
  }

  void queued(QueueEvent event) {
    switch (event) {
      case QueueEvent.Lost() -> lost();
      case QueueEvent.Due() -> due();
      case QueueEvent.Opened opened -> opened(opened);
      case QueueEvent.Came(QueuedEnvelope envelope) -> drain.came(envelope);
      case QueueEvent.NotOpened(ApiException refusal) -> notOpened(refusal);
      case QueueEvent.KeysLow(long left) -> keys.topUp(left, false);
      case QueueEvent.DevicesChanged(AccountId account, long version) -> changed(account, version);
      case QueueEvent.Rejected(_, QueueSeq seq) -> drain.rejected(seq);
      case QueueEvent.Acknowledged(Epoch _, QueueSeq _), QueueEvent.Drained(QueueSeq _) -> {}
    }
  }

  /// An own line is stored, and shown.
  void stored(SealedLine line) {
    if (state == SealedState.NOT_LINKED) {
      listener.unheard(line);
    } else {
      unproven.add(line);
    }
  }

  /// Lines are kept no longer.
  void over(List<SealedLine> lines) {
    lines.forEach(line -> unproven.remove(line.roomId(), line.seq()));
  }

  /// The store failed.
  void broken(Throwable why) {
    listener.failed(why);
    became(SealedState.STORE_FAILED);
  }

  private void lost() {
    roster.lost();
    unproven.lost();
  }

  /// The connection is a new one.
  void due() {
    connection++;
    open = false;
    roster.connected();
    unproven.connected();
    sends.due();
    takePart(this::start);
  }

  /// Takes part as far as this device may, as after it was signed; done when it is known how far.
  @Override
  public Future<SealedState> join() {
    return takePart(this::startAfter);
  }

  private Future<SealedState> takePart(Supplier<Future<SealedState>> start) {
    int mine = connection;
    roster.doubtAll();
    UnprovenLines.Question asked = unproven.ask();
    return start
        .get()
        .onSuccess(
            found -> {
              became(found);
              if (mine != connection) {
                return;
              }
              if (found == SealedState.READY || listens) {
                openQueue();
              }
              if (found == SealedState.READY) {
                sends.resume().onSuccess(resumed -> resumed.forEach(this::follow));
                look(asked);
              }
            });
  }

  /// Opens the queue also while this device is not signed, so that another one of the account can
  /// link it; its keys are published for that.
  @Override
  public Future<Void> listen() {
    return keys.publishUnsigned()
        .onSuccess(
            _ -> {
              listens = true;
              openQueue();
            });
  }

  @Override
  public Future<SealedState> resume() {
    return known
        .future()
        .compose(
            found ->
                found == SealedState.NOT_LINKED
                    ? listen().map(found)
                    : Future.succeededFuture(found));
  }

  /// Once on each connection.
  private void openQueue() {
    if (!open) {
      open = true;
      drain.due();
    }
  }

  /// The keys are seen to once; again at the next connection where that came to nothing.
  private Future<SealedState> start() {
    Future<SealedState> before = starting;
    if (before != null && (!before.isComplete() || state == SealedState.READY)) {
      return before;
    }
    Future<SealedState> now = keys.start();
    starting = now;
    return now;
  }

  /// The same, of which nothing is from before this moment.
  private Future<SealedState> startAfter() {
    Future<SealedState> before = starting;
    if (before == null || before.isComplete()) {
      return start();
    }
    Future<SealedState> now = before.transform(_ -> keys.start());
    starting = now;
    return now;
  }

  private void became(SealedState now) {
    if (state != SealedState.STORE_FAILED) {
      boolean putOut = state == SealedState.READY && now == SealedState.NOT_LINKED;
      state = now;
      listener.state(now);
      known.tryComplete(now);
      if (putOut) {
        unproven.refuted().forEach(listener::unheard);
      }
    }
    if (!takesLines()) {
      sends.refuse(absent());
    }
  }

  /// What is said on a device that takes no part.
  static ApiException absent() {
    return ApiException.local(ABSENT, "this device takes no part in sealed rooms");
  }

  private void follow(SealedSend resumed) {
    resumed
        .line()
        .future()
        .onSuccess(said::accept)
        .onFailure(
            failure -> {
              if (failure instanceof ApiException why
                  && !why.code().equals(ApiException.CLOSED)
                  && !sends.keeps(resumed.room())) {
                listener.unsent(resumed.room(), resumed.text(), why);
              }
            });
  }

  private void opened(QueueEvent.Opened opened) {
    startedAnew = false;
    drain.opened(opened);
    sends.opened();
    keys.topUp(opened.oneTimeKeys(), opened.fallbackUsed());
  }

  /// The server has no keys of a device whose keys were published. They may have been lost there,
  /// as when a standby took over: the keys are seen to once more.
  private void notOpened(ApiException refusal) {
    if (!refusal.is(ErrorCode.CONFLICT)) {
      return;
    }
    if (startedAnew) {
      became(SealedState.OTHER_KEYS);
    } else {
      startedAnew = true;
      starting = null;
      due();
    }
  }

  private void changed(AccountId account, long version) {
    roster.changed(account, version);
    if (keys.areOf(account)) {
      unproven.told();
      look(unproven.ask());
    } else {
      roster.learn(List.of(account));
    }
  }

  /// What another device of the account did may put this one out, and may bring it back.
  ///
  /// @param asked from before the server was
  private void look(UnprovenLines.Question asked) {
    keys.areUnsigned().onSuccess(unsigned -> looked(unsigned, asked));
  }

  private void looked(boolean unsigned, UnprovenLines.Question asked) {
    if (!unsigned) {
      unproven.proven(asked);
    }
    if (unsigned && state == SealedState.READY) {
      became(SealedState.NOT_LINKED);
    } else if (!unsigned && state == SealedState.NOT_LINKED) {
      join();
    }
  }
}
