package io.confab.account;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.config.NodeRole;
import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What clients ask about accounts and access.
public sealed interface AccountCommand<R extends BusMessage> extends Command<R> {
  Address<AccountCommand<?>> ADDRESS = new Address<>("accounts", NodeRole.ROUTING);

  /// Makes an account. Refusals: `invalid_field` (`handle`, `password`, `display_name`),
  /// `conflict` (handle taken), `forbidden` (sign-up is switched off).
  record SignUp(String handle, Secret password, @Nullable String displayName)
      implements AccountCommand<Account> {}

  /// Signs a device in with a password; without a `device.deviceId` the server makes one. An
  /// earlier sign-in of the device ends. Refusals: `invalid_field` (`device.…`) and
  /// `unauthorized`, the same and after the same work for a wrong password and an unknown
  /// handle.
  record SignIn(String handle, Secret password, @Nullable DeviceInfo device)
      implements AccountCommand<Tokens> {}

  /// Trades a refresh token for new tokens (spec §11.1). Refusal: `unauthorized`.
  record Refresh(Secret refreshToken) implements AccountCommand<Tokens> {}

  /// Ends the device's tokens and its sockets.
  record SignOut(Caller caller) implements AccountCommand<Done> {}

  /// Makes a ticket: one socket, once, within its life.
  record IssueTicket(Caller caller) implements AccountCommand<Ticket> {}

  /// Who bears an access token. Refusals: `unauthorized`, `token_expired`.
  record Authenticate(Secret accessToken) implements AccountCommand<Authenticated> {}

  /// Whether a session of this caller may go on by this access token. Refusals: `unauthorized`,
  /// `token_expired`, `invalid_field` (`token`) for one of another account or device.
  record Renew(Caller caller, Secret accessToken) implements AccountCommand<Renewed> {}

  /// Who bears a ticket, which is used up by this. Refusal: `unauthorized`.
  record RedeemTicket(Secret ticket) implements AccountCommand<Authenticated> {}

  /// Which of these sign-ins are over: what one who heard of a revocation, or may have missed
  /// it, asks about its sockets.
  record FindEnded(List<Authenticated> signIns) implements AccountCommand<Ended> {}

  /// Stores name and platform of a device, as a `hello` tells them. Refusals: `invalid_field`
  /// (`device.name`, `device.platform`).
  record UpdateDevice(Caller caller, String name, String platform)
      implements AccountCommand<Done> {}

  /// The caller's own account.
  record ReadMe(AccountId caller) implements AccountCommand<Account> {}

  /// Accounts by id; unknown ones are left out.
  record FindByIds(List<AccountId> ids) implements AccountCommand<Accounts> {}

  /// The account with this handle, or none.
  record FindByHandle(String handle) implements AccountCommand<Accounts> {}

  record Account(AccountId accountId, String handle, String displayName) implements BusMessage {}

  record Accounts(List<Account> accounts) implements BusMessage {}

  record Tokens(
      Secret accessToken,
      Secret refreshToken,
      Duration expiresIn,
      AccountId accountId,
      DeviceId deviceId)
      implements BusMessage {}

  record Ticket(Secret ticket, Duration expiresIn) implements BusMessage {}

  /// One sign-in of one device.
  record Authenticated(Caller caller, FamilyId family) implements BusMessage {}

  /// @param expiresIn how long the token is still good
  record Renewed(Authenticated signIn, Duration expiresIn) implements BusMessage {}

  record Ended(List<Authenticated> signIns) implements BusMessage {}
}
