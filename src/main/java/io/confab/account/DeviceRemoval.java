package io.confab.account;

import io.confab.account.AccountCommand.Forgotten;
import io.confab.feed.AnnouncedTransactions;
import io.confab.feed.AnnouncedTransactions.Outcome;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.vertx.core.Future;

/// Forgets devices: their sign-ins end, and with them whatever they hold keys for.
public final class DeviceRemoval {
  private final AnnouncedTransactions transactions;
  private final DeviceStore devices;
  private final DeviceNews news;

  public DeviceRemoval(AnnouncedTransactions transactions, DeviceStore devices, DeviceNews news) {
    this.transactions = transactions;
    this.devices = devices;
    this.news = news;
  }

  /// Forgets a device, if it is there, and so ends its sign-in. Answers whether it was there.
  public Future<Forgotten> forget(AccountId account, DeviceId device) {
    Caller caller = new Caller(account, device);
    return transactions
        .run(
            transaction ->
                devices
                    .delete(transaction, caller)
                    .map(
                        deleted ->
                            deleted.was()
                                ? Outcome.signalling(deleted, SignIns.revoked(caller))
                                : Outcome.quiet(deleted)))
        .map(
            deleted -> {
              Long version = deleted.version();
              if (version != null) {
                news.tell(account, version);
              }
              return new Forgotten(deleted.was());
            });
  }
}
