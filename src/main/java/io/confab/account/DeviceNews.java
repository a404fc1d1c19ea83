package io.confab.account;

import io.confab.feed.AccountSignal;
import io.confab.feed.Announcer;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells that the devices of an account changed: its own sessions, and the people whose devices
/// encrypt for them.
public final class DeviceNews {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceNews.class);

  private final Announcer announcer;
  private final Function<AccountId, Future<List<AccountId>>> companions;

  /// @param companions who shares a sealed room with an account
  public DeviceNews(Announcer announcer, Function<AccountId, Future<List<AccountId>>> companions) {
    this.announcer = announcer;
    this.companions = companions;
  }

  /// To be called after the commit. Others may miss it: they ask again when they reconnect, and a
  /// send to other devices than there are is refused.
  public void tell(AccountId account, long version) {
    announcer.signal(List.of(new AccountSignal.DevicesChanged(account, version)));
    companions
        .apply(account)
        .onSuccess(
            others ->
                announcer.signalOnce(
                    others.stream()
                        .<AccountSignal>map(
                            other -> new AccountSignal.OtherDevicesChanged(other, account, version))
                        .toList()))
        .onFailure(failure -> LOG.debug("Nobody was told of changed devices", failure));
  }
}
