package io.confab.client.sealed;

import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;

/// Makes a second device of an account one that the account signed, as linking does, by copying
/// what is secret from store to store.
public final class Linking {
  private Linking() {}

  /// @param to of the device; its keys are made where it has none
  public static void link(SealedStore from, SealedStore to, AccountId account, DeviceId device) {
    SealedDevice _ = SealedDevice.open(to, account, device);
    to.change(
        changes -> {
          changes.put("identity", from.get("identity").orElseThrow());
          OwnIdentity identity = new OwnIdentity(account);
          DeviceAccount own = new DeviceAccount(account, device);
          new Pins().own(changes, identity.identity(changes).orElseThrow());
          own.signed(changes, identity.sign(changes, own.identity(changes)).orElseThrow());
        });
  }
}
