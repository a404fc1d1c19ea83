package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.util.List;

/// Keeps the keys of this device at the server: enough for all who begin sessions with it.
///
/// They are published once the identity of the account has signed the device, and not before:
/// others would seal for a device that nobody vouches for, which could not read it.
final class KeyUpkeep {
  /// How many one-time keys are to wait at the server.
  static final int ONE_TIME_KEYS = 50;

  private static final int TRIES = 3;

  private final AccountId account;
  private final DeviceId name;
  private final ServerCalls calls;
  private final Roster roster;
  private final DeviceThread device;
  private final Retries retries;
  private Future<?> last = Future.succeededFuture();
  private boolean renewing;
  private boolean queued;
  private long uploads;
  private long atServer;

  KeyUpkeep(Own own, ServerCalls calls, Roster roster, DeviceThread device, Retries retries) {
    this.account = own.account();
    this.name = own.device();
    this.calls = calls;
    this.roster = roster;
    this.device = device;
    this.retries = retries;
  }

  /// Whose keys they are.
  record Own(AccountId account, DeviceId device) {}

  /// Publishes the keys where that was not done yet; makes the identity of the account where it has
  /// none. Done when the server says yes or no, however long that takes.
  Future<SealedState> start() {
    return retries.run(this::state).recover(KeyUpkeep::refused);
  }

  /// Publishes the keys of a device that is not signed yet, where that was not done: another one of
  /// the account can say something to it then. Nobody else does, who sees that it is not signed.
  Future<Void> publishUnsigned() {
    return retries.run(
        () ->
            look()
                .compose(_ -> publishFirst())
                .compose(_ -> device.tell(SealedDevice::takeRegistration)),
        TRIES,
        ApiException::retryable);
  }

  boolean areOf(AccountId account) {
    return account.equals(this.account);
  }

  /// Whether the identity of the account, as the server tells it now, does not sign this device any
  /// more: another device may have set another one while this one was away. Where it does, and the
  /// server lists this device without that, it is told.
  Future<Boolean> areUnsigned() {
    return retries
        .run(() -> roster.learn(List.of(account)), TRIES, ApiException::retryable)
        .compose(_ -> device.ask(own -> !own.isSigned()))
        .onSuccess(
            unsigned -> {
              if (!unsigned) {
                retries.run(this::tellSignature, TRIES, ApiException::retryable);
              }
            });
  }

  /// The server has so many one-time keys. While an upload is under way one more waits at most:
  /// what the server says meanwhile may be of before it.
  ///
  /// @param fallbackUsed whether somebody took the fallback key
  Future<Void> topUp(long waiting, boolean fallbackUsed) {
    // The server may say so of one use more than once before it has the next key.
    boolean renews = fallbackUsed && !renewing;
    if (!renews && (waiting >= ONE_TIME_KEYS || queued)) {
      return Future.succeededFuture();
    }
    renewing |= renews;
    queued = true;
    long before = uploads;
    Future<Void> done =
        last.transform(
                _ -> {
                  queued = false;
                  return upload(before == uploads ? waiting : atServer, renews);
                })
            .onComplete(_ -> renewing &= !renews);
    last = done;
    return done;
  }

  private Future<Void> upload(long waiting, boolean renews) {
    if (waiting >= ONE_TIME_KEYS && !renews) {
      return Future.succeededFuture();
    }
    return device
        .tell(
            own -> {
              if (renews) {
                own.renewFallback();
              }
            })
        .compose(_ -> retries.run(() -> publish(waiting, false)));
  }

  private Future<SealedState> state() {
    roster.doubt(List.of(account));
    return hasIdentity()
        .compose(has -> has ? isSigned() : makeIdentity())
        .compose(
            signed ->
                signed
                    ? publishFirst()
                        .compose(_ -> device.tell(SealedDevice::takeRegistration))
                        .map(SealedState.READY)
                    : Future.succeededFuture(SealedState.NOT_LINKED));
  }

  /// An identity that another device made is not replaced, also where the server says that there is
  /// none.
  private Future<Boolean> hasIdentity() {
    return calls
        .query(List.of(account))
        .map(known -> known.accounts().stream().anyMatch(keys -> keys.identity() != null))
        .compose(has -> device.ask(own -> has || own.isOfAnother()));
  }

  private Future<Boolean> isSigned() {
    return roster.learn(List.of(account)).compose(_ -> device.ask(own -> own.isSigned()));
  }

  /// Of two first devices one comes too late: the server tells of the other's identity then, and
  /// this one is to be linked. After being killed the same identity is set again.
  private Future<Boolean> makeIdentity() {
    return device
        .ask(own -> own.createIdentity())
        .compose(calls::sign)
        .compose(
            _ -> {
              roster.doubt(List.of(account));
              return isSigned();
            });
  }

  private Future<Void> publishFirst() {
    return device
        .ask(
            own ->
                own.devices(account).stream()
                    .anyMatch(listed -> listed.device().deviceId().equals(name)))
        .compose(listed -> listed ? Future.succeededFuture() : publishAnew())
        .compose(_ -> tellSignature());
  }

  /// The server may list this device from before it was signed, or have lost that, as when a
  /// standby took over.
  private Future<Void> tellSignature() {
    return device
        .ask(SealedDevice::dueSignature)
        .compose(
            due ->
                due.map(signed -> calls.signDevice(name, signed).compose(_ -> look()))
                    .orElseGet(Future::succeededFuture));
  }

  private Future<Void> look() {
    roster.doubt(List.of(account));
    return roster.learn(List.of(account));
  }

  /// A device that comes again has published its fallback key before, and the server has it no
  /// more.
  private Future<Void> publishAnew() {
    return device
        .tell(
            own -> {
              if (own.publication(0).fallback().isEmpty()) {
                own.renewFallback();
              }
            })
        .compose(_ -> publish(0, true))
        .compose(_ -> look());
  }

  /// The same keys again until the server has them.
  private Future<Void> publish(long waiting, boolean first) {
    return device
        .ask(own -> own.publication(waiting))
        .compose(publication -> calls.publish(publication, first))
        .compose(
            count -> {
              uploads++;
              atServer = count;
              return device.tell(own -> own.published());
            });
  }

  private static Future<SealedState> refused(Throwable failure) {
    if (failure instanceof ApiException refusal && refusal.status() > 0) {
      boolean tooMany = refusal.field().filter("device"::equals).isPresent();
      boolean another = refusal.is(ErrorCode.CONFLICT) || refusal.is(ErrorCode.NOT_FOUND);
      return Future.succeededFuture(
          another && tooMany
              ? SealedState.TOO_MANY_DEVICES
              : another ? SealedState.OTHER_KEYS : SealedState.REFUSED);
    }
    return Future.failedFuture(failure);
  }
}
