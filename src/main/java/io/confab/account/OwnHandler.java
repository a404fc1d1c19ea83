package io.confab.account;

import io.confab.account.AccountCommand.Block;
import io.confab.account.AccountCommand.BlockPage;
import io.confab.account.AccountCommand.Blocked;
import io.confab.account.AccountCommand.ChangeMe;
import io.confab.account.AccountCommand.ChangePassword;
import io.confab.account.AccountCommand.FindOwnSalt;
import io.confab.account.AccountCommand.ListBlocks;
import io.confab.account.AccountCommand.ListDevices;
import io.confab.account.AccountCommand.Own;
import io.confab.account.AccountCommand.RemoveDevice;
import io.confab.account.AccountCommand.RemoveMe;
import io.confab.account.AccountCommand.RenameDevice;
import io.confab.account.AccountCommand.Unblock;
import io.confab.bus.BusMessage;
import io.confab.postgres.Page;
import io.vertx.core.Future;

/// Answers what people ask about their own accounts, devices and blocks.
public final class OwnHandler {
  private final OwnAccount own;
  private final Salts salts;
  private final DeviceRemoval removal;
  private final Devices devices;
  private final Blocks blocks;
  private final AccountLifecycle lifecycle;

  public OwnHandler(
      OwnAccount own,
      Salts salts,
      DeviceRemoval removal,
      Devices devices,
      Blocks blocks,
      AccountLifecycle lifecycle) {
    this.own = own;
    this.salts = salts;
    this.removal = removal;
    this.devices = devices;
    this.blocks = blocks;
    this.lifecycle = lifecycle;
  }

  Future<? extends BusMessage> handle(Own<?> command) {
    return switch (command) {
      case FindOwnSalt(var caller) -> salts.of(caller);
      case ChangePassword(var caller, var old, var fresh) -> own.changePassword(caller, old, fresh);
      case ChangeMe change -> own.change(change);
      case ListDevices list -> devices.list(list);
      case RenameDevice rename -> devices.rename(rename);
      case RemoveDevice(var caller, var device) -> removal.forget(caller, device);
      case RemoveMe(var caller, var password) -> lifecycle.removeOwn(caller, password);
      case ListBlocks list ->
          blocks
              .list(list.caller(), list.after(), list.limit() + 1)
              .map(found -> Page.of(found, list.limit(), Blocked::accountId))
              .map(page -> new BlockPage(page.items(), page.next()));
      case Block(var caller, var blocked) -> blocks.block(caller, blocked);
      case Unblock(var caller, var blocked) -> blocks.unblock(caller, blocked);
    };
  }
}
