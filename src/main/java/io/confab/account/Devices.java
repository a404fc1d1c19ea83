package io.confab.account;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.AccountCommand.ChangeCounts;
import io.confab.account.AccountCommand.DevicePage;
import io.confab.account.AccountCommand.Ended;
import io.confab.account.AccountCommand.ListDevices;
import io.confab.account.AccountCommand.RenameDevice;
import io.confab.account.AccountCommand.SignedInDevice;
import io.confab.account.AccountCommand.UpdateDevice;
import io.confab.account.DeviceStore.Renamed;
import io.confab.bus.Done;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.postgres.Page;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What devices are called, and which of their sign-ins are over.
public final class Devices {
  private static final String UNKNOWN = "unknown";

  private final AnnouncedTransactions transactions;
  private final DeviceStore store;
  private final AccountStatusStore statuses;
  private final Function<Authenticated, Future<Boolean>> current;
  private final SecureRandom random;

  /// @param current for each of these whether the device is signed in by just that
  public Devices(
      AnnouncedTransactions transactions,
      DeviceStore store,
      AccountStatusStore statuses,
      Function<Authenticated, Future<Boolean>> current,
      SecureRandom random) {
    this.transactions = transactions;
    this.store = store;
    this.statuses = statuses;
    this.current = current;
    this.random = random;
  }

  /// A device as a client describes it, checked and with an id.
  Device identify(
      @Nullable DeviceInfo told, byte @Nullable [] seenFrom, byte @Nullable [] issuedBy) {
    if (told == null) {
      return new Device(made(), UNKNOWN, UNKNOWN, seenFrom, issuedBy);
    }
    check(told);
    DeviceId id = told.deviceId();
    return new Device(id == null ? made() : id, told.name(), told.platform(), seenFrom, issuedBy);
  }

  /// Checks what a client tells of its device. Refusal: `invalid_field`.
  public static void check(DeviceInfo told) {
    DeviceId id = told.deviceId();
    if (id != null) {
      TextRules.clientMade("device.device_id", id.value());
    }
    TextRules.name("device.name", told.name());
    TextRules.name("device.platform", told.platform());
  }

  /// The refusal of a device for which no other goes.
  public static Refusal tooMany() {
    return new Refusal(ErrorCode.CONFLICT, "device", "the account has too many devices");
  }

  private DeviceId made() {
    return new DeviceId(Long.toString(random.nextLong() >>> 1, Character.MAX_RADIX));
  }

  Future<Done> describe(UpdateDevice command) {
    return store
        .describe(
            command.caller(),
            TextRules.name("device.name", command.name()),
            TextRules.name("device.platform", command.platform()))
        .map(Done.DONE);
  }

  /// The devices of an account that are signed in, by their ids.
  Future<DevicePage> list(ListDevices command) {
    return store
        .list(command.caller(), command.after(), command.limit() + 1)
        .map(found -> Page.of(found, command.limit(), SignedInDevice::deviceId))
        .map(page -> new DevicePage(page.items(), page.next()));
  }

  /// Another name is told to the account's sessions. Refusals: `not_found`, `invalid_field`.
  Future<SignedInDevice> rename(RenameDevice command) {
    Caller caller = command.caller();
    String name = TextRules.name("name", command.name());
    return transactions.run(
        transaction ->
            store
                .rename(transaction, caller, command.device(), name)
                .map(found -> found.orElseThrow(Devices::noSuchDevice))
                .compose(renamed -> told(transaction, caller.account(), renamed)));
  }

  private Future<Outcome<SignedInDevice>> told(
      SqlClient transaction, AccountId account, Renamed renamed) {
    return renamed.changed()
        ? statuses
            .countChange(transaction, account)
            .map(
                version ->
                    Outcome.signalling(
                        renamed.device(), new AccountSignal.DevicesChanged(account, version)))
        : Future.succeededFuture(Outcome.quiet(renamed.device()));
  }

  private static Refusal noSuchDevice() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such device");
  }

  Future<Ended> findEnded(List<Authenticated> signIns) {
    List<Future<Boolean>> answers = signIns.stream().map(current).toList();
    return Future.all(answers)
        .compose(
            _ ->
                explain(
                    IntStream.range(0, signIns.size())
                        .filter(i -> !isCurrent(answers.get(i).result()))
                        .mapToObj(signIns::get)
                        .toList()));
  }

  Future<ChangeCounts> countChanges(List<AccountId> accounts) {
    return statuses.countChanges(accounts).map(ChangeCounts::new);
  }

  private Future<Ended> explain(List<Authenticated> ended) {
    if (ended.isEmpty()) {
      return Future.succeededFuture(new Ended(ended, List.of()));
    }
    return statuses
        .read(ended.stream().map(signIn -> signIn.caller().account()).toList())
        .map(
            found ->
                new Ended(
                    ended,
                    found.entrySet().stream()
                        .filter(entry -> entry.getValue().suspended())
                        .map(Map.Entry::getKey)
                        .toList()));
  }

  private static boolean isCurrent(@Nullable Boolean answer) {
    return Boolean.TRUE.equals(answer);
  }
}
