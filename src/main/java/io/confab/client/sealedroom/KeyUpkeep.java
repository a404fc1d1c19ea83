package io.confab.client.sealedroom;

import io.confab.client.ApiException;
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

  private final AccountId account;
  private final DeviceId name;
  private final ServerCalls calls;
  private final Roster roster;
  private final DeviceThread device;
  private final Retries retries;
  private Future<?> last = Future.succeededFuture();

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

  /// The server has so many one-time keys.
  ///
  /// @param fallbackUsed whether somebody took the fallback key
  Future<Void> topUp(long waiting, boolean fallbackUsed) {
    if (waiting >= ONE_TIME_KEYS && !fallbackUsed) {
      return Future.succeededFuture();
    }
    Future<Void> done =
        last.transform(
            _ ->
                device
                    .tell(
                        own -> {
                          if (fallbackUsed) {
                            own.renewFallback();
                          }
                        })
                    .compose(_ -> retries.run(() -> publish(waiting, false))));
    last = done;
    return done;
  }

  private Future<SealedState> state() {
    roster.doubt(List.of(account));
    return hasIdentity()
        .compose(has -> has ? isSigned() : makeIdentity())
        .compose(
            signed ->
                signed
                    ? publishFirst().map(SealedState.READY)
                    : Future.succeededFuture(SealedState.NOT_LINKED));
  }

  private Future<Boolean> hasIdentity() {
    return calls
        .query(List.of(account))
        .map(known -> known.accounts().stream().anyMatch(keys -> keys.identity() != null));
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
        .compose(
            listed ->
                listed
                    ? Future.succeededFuture()
                    : publish(0, true).onSuccess(_ -> roster.doubt(List.of(account))));
  }

  /// The same keys again until the server has them.
  private Future<Void> publish(long waiting, boolean first) {
    return device
        .ask(own -> own.publication(waiting))
        .compose(publication -> calls.publish(publication, first))
        .compose(_ -> device.tell(own -> own.published()));
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
