package io.confab.client.sealedroom;

import io.confab.client.ApiException;
import io.confab.client.OwnKeys;
import io.confab.client.sealed.KnownAccount;
import io.confab.client.sealed.KnownDevice;
import io.confab.client.sealed.SealedDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.Suite;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Who is in the sealed rooms, and with which devices: asks the server for what is not known, one
/// question at a time, and has the device learn it.
final class Roster {
  static final int ACCOUNTS_A_CALL = 256;

  private final AccountId account;
  private final ServerCalls calls;
  private final DeviceThread device;
  private final Consumer<SealedDevice.Learned> told;
  private final Freshness freshness = new Freshness();
  private final Map<RoomId, Members> rooms = new HashMap<>();
  private final Set<RoomId> current = new HashSet<>();
  private boolean connected = true;
  private int changes;
  private Future<?> last = Future.succeededFuture();

  /// @param account whose device it is
  /// @param told what was learned that a person is to know
  Roster(
      AccountId account,
      ServerCalls calls,
      DeviceThread device,
      Consumer<SealedDevice.Learned> told) {
    this.account = account;
    this.calls = calls;
    this.device = device;
    this.told = told;
  }

  /// The members of a room; the device knows the devices of them all.
  ///
  /// Without a connection nobody tells that another identity of the own account put this device
  /// out, so that is asked each time; who else has other devices is told by the refusal of a send.
  Future<Members> of(RoomId room) {
    if (!connected) {
      doubt(List.of(account));
    }
    return members(room).compose(members -> learn(members.accounts()).map(members));
  }

  /// The device knows the devices of these.
  Future<Void> learn(Collection<AccountId> accounts) {
    Future<Void> learned = last.transform(_ -> ask(freshness.unknown(accounts)));
    last = learned;
    return learned;
  }

  /// The devices of an account are others since this version.
  void changed(AccountId account, long version) {
    freshness.changed(account, version);
  }

  /// What is known of these may be wrong.
  void doubt(Collection<AccountId> accounts) {
    freshness.doubt(accounts);
  }

  /// What is known of a room, its members and their devices may be wrong.
  void doubt(RoomId room) {
    changed(room);
    Optional.ofNullable(rooms.get(room)).ifPresent(members -> doubt(members.accounts()));
  }

  /// Others are in the room, or it is sealed in another way.
  void changed(RoomId room) {
    current.remove(room);
    changes++;
  }

  /// Whatever is known may be wrong: changes were missed.
  void doubtAll() {
    current.clear();
    freshness.doubtAll();
  }

  /// Changes are not told for now.
  void lost() {
    connected = false;
    doubtAll();
  }

  /// Changes are told from here on; some were missed.
  void connected() {
    connected = true;
    doubtAll();
  }

  private Future<Members> members(RoomId room) {
    Members known = rooms.get(room);
    if (known != null && current.contains(room)) {
      return Future.succeededFuture(known);
    }
    int round = freshness.round();
    int before = changes;
    return calls
        .members(room)
        .onSuccess(
            members -> {
              rooms.put(room, members);
              if (round == freshness.round() && before == changes) {
                current.add(room);
              }
            });
  }

  private Future<Void> ask(List<AccountId> accounts) {
    if (accounts.isEmpty()) {
      return Future.succeededFuture();
    }
    int page = Math.min(ACCOUNTS_A_CALL, accounts.size());
    List<AccountId> asked = accounts.subList(0, page);
    List<AccountId> later = accounts.subList(page, accounts.size());
    int round = freshness.round();
    return calls
        .query(asked)
        .compose(known -> take(asked, known, round))
        .compose(
            rest -> {
              rest.addAll(later);
              return ask(rest);
            });
  }

  /// Answers those that are to be asked for again.
  private Future<List<AccountId>> take(List<AccountId> asked, OwnKeys.Known known, int round) {
    List<AccountId> rest = new ArrayList<>(known.rest() == null ? List.of() : known.rest());
    Set<AccountId> absent = new HashSet<>(asked);
    known.accounts().forEach(account -> absent.remove(account.accountId()));
    rest.forEach(absent::remove);
    if (!asked.containsAll(rest) || rest.size() == asked.size()) {
      return Future.failedFuture(
          ApiException.local(ErrorCode.INTERNAL.wire(), "the server tells of no devices"));
    }
    return device
        .ask(
            own -> {
              own.learnAbsent(absent);
              return own.learn(known.accounts().stream().map(Roster::known).toList());
            })
        .map(
            learned -> {
              known.accounts().forEach(a -> freshness.learned(a.accountId(), a.version(), round));
              absent.forEach(account -> freshness.absent(account, round));
              told.accept(learned);
              return rest;
            });
  }

  private static KnownAccount known(OwnKeys.Keys keys) {
    return new KnownAccount(
        keys.accountId(),
        keys.identity(),
        keys.devices().stream()
            .map(
                device ->
                    new KnownDevice(
                        device.deviceId(),
                        device.registrationId(),
                        device.suite().equals(Suite.OLM1.wire()) ? device.identity() : null))
            .toList());
  }
}
