package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.Devices;
import io.confab.account.FamilyId;
import io.confab.account.outside.OutsideAccountStore.Arrival;
import io.confab.account.outside.OutsideAccountStore.Arrived;
import io.confab.account.outside.OutsideAccountStore.Found;
import io.confab.postgres.BatchedRead;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// The accounts of people for whom outside issuers vouch: found, made at first use, and signed
/// in on devices. Requests that come at once share a statement.
public final class OutsideAccounts {
  private static final int DEVICE_ID_LENGTH = 16;

  private final Database database;
  private final OutsideAccountStore store;
  private final BatchedRead<OutsideIdentity, Map<OutsideIdentity, Found>> finds;
  private final BatchedRead<Arrival, Map<Arrival, Arrived>> arrivals;
  private final Function<AccountId, Future<Set<DeviceId>>> connected;
  private final SecureRandom random;

  /// @param connected the devices of an account that have a session now
  public OutsideAccounts(
      Database database,
      OutsideAccountStore store,
      BatchedRead<OutsideIdentity, Map<OutsideIdentity, Found>> finds,
      BatchedRead<Arrival, Map<Arrival, Arrived>> arrivals,
      Function<AccountId, Future<Set<DeviceId>>> connected,
      SecureRandom random) {
    this.database = database;
    this.store = store;
    this.finds = finds;
    this.arrivals = arrivals;
    this.connected = connected;
    this.random = random;
  }

  /// Refusal: `unauthorized` for an account that was suspended or removed.
  Future<AccountId> identify(OutsideToken token) {
    OutsideIdentity identity = token.identity();
    return finds
        .read(List.of(identity))
        .map(all -> Optional.ofNullable(all.get(identity)))
        .compose(found -> found.map(Future::succeededFuture).orElseGet(() -> make(token)))
        .map(
            found -> {
              found.requireActive(ErrorCode.UNAUTHORIZED);
              return found.account();
            });
  }

  /// Refusals: `unauthorized` for an account that was removed, `forbidden` for a suspended one,
  /// `conflict` (`device`) where it has as many devices as it may and all are connected. Who is, is
  /// asked only where a device that is signed in would have to go.
  Future<Authenticated> admit(OutsideToken token, DeviceInfo device) {
    DeviceId id = device.deviceId();
    Arrival arrival =
        new Arrival(
            token.identity(),
            id == null ? new DeviceId(AccountWishes.madeText(DEVICE_ID_LENGTH, random)) : id,
            device.name(),
            device.platform(),
            new FamilyId(new UUID(random.nextLong(), random.nextLong())));
    return arrive(arrival)
        .compose(
            arrived ->
                arrived.isPresent()
                    ? Future.succeededFuture(arrived)
                    : make(token).compose(_ -> arrive(arrival)))
        .compose(
            arrived ->
                arrived.filter(Arrived::hasNoRoom).isPresent()
                    ? makeRoom(arrival, arrived.get().account().account())
                    : Future.succeededFuture(arrived))
        .map(arrived -> signedIn(arrived.orElseThrow()));
  }

  private Future<Optional<Arrived>> arrive(Arrival arrival) {
    return arrivals.read(List.of(arrival)).map(all -> Optional.ofNullable(all.get(arrival)));
  }

  private Future<Optional<Arrived>> makeRoom(Arrival arrival, AccountId account) {
    return connected.apply(account).compose(busy -> store.arrive(arrival, busy));
  }

  private static Authenticated signedIn(Arrived arrived) {
    arrived.account().requireActive(ErrorCode.FORBIDDEN);
    Authenticated signIn = arrived.signIn();
    if (signIn == null) {
      throw Devices.tooMany();
    }
    return signIn;
  }

  /// Makes the account, or finds the one that somebody else made at the same moment.
  private Future<Found> make(OutsideToken token) {
    AccountId account = AccountId.random(random);
    return database.transaction(
        transaction ->
            store
                .claim(transaction, token.identity(), account)
                .compose(
                    claimed ->
                        claimed
                            ? insert(
                                    transaction,
                                    account,
                                    token,
                                    new ArrayDeque<>(AccountWishes.handles(token, random)))
                                .map(_ -> new Found(account, false, false))
                            : store
                                .find(transaction, token.identity())
                                .map(Optional::orElseThrow)));
  }

  private Future<Void> insert(
      SqlClient transaction, AccountId account, OutsideToken token, Deque<String> handles) {
    if (handles.isEmpty()) {
      return Future.failedFuture(Refusal.unavailable("no free handle was found"));
    }
    String handle = handles.pop();
    return store
        .insert(transaction, account, handle, AccountWishes.displayName(token, handle))
        .compose(
            inserted ->
                inserted ? Future.succeededFuture() : insert(transaction, account, token, handles));
  }
}
