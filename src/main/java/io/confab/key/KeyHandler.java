package io.confab.key;

import io.confab.account.DeviceNews;
import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.confab.config.Config;
import io.confab.feed.AccountSignal;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.feed.Announcer;
import io.confab.key.KeyCommand.ChangeIdentity;
import io.confab.key.KeyCommand.ClaimKeys;
import io.confab.key.KeyCommand.ClaimedKeys;
import io.confab.key.KeyCommand.IdentityVersion;
import io.confab.key.KeyCommand.KeepVault;
import io.confab.key.KeyCommand.QueryKeys;
import io.confab.key.KeyCommand.ReadVault;
import io.confab.key.KeyCommand.UploadKeys;
import io.confab.key.KeyCommand.Uploaded;
import io.confab.key.KeyCommand.Vault;
import io.confab.key.KeyStore.Claim;
import io.confab.key.KeyStore.Low;
import io.confab.key.KeyStore.Signed;
import io.confab.key.KeyStore.Stored;
import io.confab.metrics.Meter;
import io.confab.metrics.Meters;
import io.confab.postgres.Database;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.retention.Rule;
import io.confab.retention.Swept;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers commands about keys. For any thread.
public final class KeyHandler {
  private static final Logger LOG = LoggerFactory.getLogger(KeyHandler.class);

  private final AnnouncedTransactions transactions;
  private final KeyStore store;
  private final Announcer announcer;
  private final DeviceNews news;
  private final Consumer<ClaimOutcome> claimed;
  private final Runnable low;

  /// @param claimed hears of each device of which a key was claimed
  /// @param low runs whenever a device is to hear that it has few keys left
  KeyHandler(
      AnnouncedTransactions transactions,
      KeyStore store,
      Announcer announcer,
      DeviceNews news,
      Consumer<ClaimOutcome> claimed,
      Runnable low) {
    this.transactions = transactions;
    this.store = store;
    this.announcer = announcer;
    this.news = news;
    this.claimed = claimed;
    this.low = low;
  }

  public static KeyHandler of(
      Database database, Announcer announcer, DeviceNews news, Config.Keys bounds, Meters meters) {
    return new KeyHandler(
        new AnnouncedTransactions(database, announcer),
        new KeyStore(database, bounds),
        announcer,
        news,
        meters.counting(Meter.KEYS_CLAIMED, ClaimOutcome.class),
        meters::keysLow);
  }

  /// What goes when it is over.
  public static List<Rule> retention() {
    return List.of(
        new Rule(Swept.SPENT_KEYS, KeyStore::forgetSpent),
        new Rule(Swept.KEY_CLAIMS, KeyStore::forgetClaims));
  }

  public Future<? extends BusMessage> handle(KeyCommand<?> command) {
    return switch (command) {
      case UploadKeys upload -> upload(upload);
      case ChangeIdentity change -> change(change);
      case ReadVault(var caller) -> store.vault(caller).map(found -> new Vault(found.orElse(null)));
      case KeepVault keep -> keep(keep);
      case QueryKeys(var caller, var accounts) -> store.find(caller, accounts);
      case ClaimKeys claim -> claim(claim);
    };
  }

  private Future<Uploaded> upload(UploadKeys command) {
    return transactions
        .run(
            transaction ->
                store.upload(transaction, command).map(KeyHandler::accepted).map(Outcome::quiet))
        .map(
            stored -> {
              Long version = stored.version();
              if (version != null) {
                news.tell(command.caller().account(), version);
              }
              return new Uploaded(stored.registration(), stored.oneTimeKeys(), version != null);
            });
  }

  private static Stored accepted(Stored stored) {
    return switch (stored.outcome()) {
      case "done" -> stored;
      case "no_device" -> throw new Refusal(ErrorCode.NOT_FOUND, "the device was removed");
      case "no_identity" -> throw Refusal.invalidField("identity", "is missing");
      case "other_identity" -> throw conflict("identity", "the device has another one");
      case "other_suite" -> throw conflict("suite", "the device has keys of another one");
      case "other_key" ->
          throw conflict("one_time_keys[" + stored.at() + "].id", "is the id of another key");
      case "too_many" -> throw conflict("device", "too many devices of the account have keys");
      case "too_many_ever" -> throw conflict("device", "too many devices of the account had keys");
      default -> throw new IllegalStateException("no outcome: " + stored.outcome());
    };
  }

  private static Refusal conflict(String field, String detail) {
    return new Refusal(ErrorCode.CONFLICT, field, detail);
  }

  private Future<IdentityVersion> change(ChangeIdentity command) {
    return transactions
        .run(
            transaction ->
                store
                    .sign(transaction, command)
                    .map(signed -> Outcome.quiet(complete(command, signed))))
        .map(
            signed -> {
              long version = Objects.requireNonNull(signed.version());
              if (signed.changed()) {
                news.tell(command.caller(), version);
              }
              return new IdentityVersion(version);
            });
  }

  private static Signed complete(ChangeIdentity command, Signed signed) {
    Integer missing = signed.missing();
    if (missing != null) {
      throw Refusal.invalidField(
          "devices." + command.devices().get(missing).device().value(), "has no keys");
    }
    if (signed.version() == null) {
      throw noSuchAccount();
    }
    return signed;
  }

  private static Refusal noSuchAccount() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such account");
  }

  private Future<Done> keep(KeepVault command) {
    return transactions.run(
        transaction ->
            store
                .keep(transaction, command.caller(), command.vault())
                .map(
                    kept -> {
                      if (!kept) {
                        throw noSuchAccount();
                      }
                      return Outcome.quiet(Done.DONE);
                    }));
  }

  private Future<ClaimedKeys> claim(ClaimKeys command) {
    return store
        .claim(command)
        .map(
            claims -> {
              claims.forEach(claim -> claimed.accept(claim.outcome()));
              tellLow(claims);
              return new ClaimedKeys(claims.stream().map(Claim::key).toList());
            });
  }

  /// Looks only once the claim is committed: then the last of many that claim at once sees what is
  /// left. The claimer does not wait for it.
  private void tellLow(List<Claim> claims) {
    List<Long> touched =
        claims.stream()
            .filter(claim -> claim.outcome() != ClaimOutcome.LIMITED)
            .map(Claim::registration)
            .toList();
    if (!touched.isEmpty()) {
      store
          .low(touched)
          .onSuccess(this::tell)
          .onFailure(failure -> LOG.debug("Nobody was told of few keys", failure));
    }
  }

  private void tell(List<Low> devices) {
    devices.forEach(_ -> low.run());
    announcer.signalOnce(
        devices.stream()
            .<AccountSignal>map(
                device ->
                    new AccountSignal.KeysLow(
                        device.device().account(), device.device().device(), device.oneTimeKeys()))
            .toList());
  }
}
