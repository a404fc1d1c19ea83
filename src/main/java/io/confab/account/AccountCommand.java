package io.confab.account;

import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Done;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.EntityTag;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.InvitesFrom;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.Suite;
import io.confab.protocol.VisibleTo;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What clients ask about accounts and access.
public sealed interface AccountCommand<R extends BusMessage> extends Command<R> {
  Address<AccountCommand<?>> ADDRESS = new Address<>("accounts", NodeRole.ROUTING);

  @Override
  default Address<AccountCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case SignUp(var handle, _, _) -> Lane.of(handle.toLowerCase(Locale.ROOT));
      case Approach(var handle, _, _) -> Lane.of(handle.toLowerCase(Locale.ROOT));
      case SignIn(var handle, _, _, _) -> Lane.of(handle.toLowerCase(Locale.ROOT));
      case FindByHandle(var handle) -> Lane.of(handle.toLowerCase(Locale.ROOT));
      case Refresh(var token, _) -> Lane.of(token.value());
      case RedeemTicket(var ticket) -> Lane.of(ticket.value());
      case SignOut(var signIn, _) -> Lane.of(signIn.caller().account());
      case IssueTicket(var caller) -> Lane.of(caller.account());
      case Renew(var caller, _) -> Lane.of(caller.account());
      case UpdateDevice(var caller, _, _) -> Lane.of(caller.account());
      case FindEnded(var signIns) -> Lane.of(signIns.getFirst().caller().account());
      case CountChanges(var accounts) -> Lane.of(accounts.getFirst());
      case FindByIds(var accounts) -> Lane.of((long) accounts.hashCode());
      case ReadMe(var caller) -> Lane.of(caller);
      case FindOwnSalt(var caller) -> Lane.of(caller);
      case ChangePassword(var caller, _, _) -> Lane.of(caller.account());
      case ChangeMe(var caller, _, _) -> Lane.of(caller);
      case ListDevices(var caller, _, _) -> Lane.of(caller.account());
      case RenameDevice(var caller, _, _) -> Lane.of(caller.account());
      case RemoveDevice(var caller, _) -> Lane.of(caller);
      case RemoveMe(var caller, _) -> Lane.of(caller);
      case ListBlocks(var caller, _, _) -> Lane.of(caller);
      case Block(var caller, _) -> Lane.of(caller);
      case Unblock(var caller, _) -> Lane.of(caller);
      case CreateAccounts(var accounts) -> Lane.of(accounts.getFirst().handle());
      case IssueTokens(var account, _, _) -> Lane.of(account);
      case Suspend(var account) -> Lane.of(account);
      case Restore(var account) -> Lane.of(account);
      case Remove(var account) -> Lane.of(account);
      case ListAccounts(var after, _) -> after == null ? Lane.of(0L) : Lane.of(after);
      case ReadAccount(var account) -> Lane.of(account);
      case MakeBot(var handle, _) -> Lane.of(handle);
      case ReadStatus(var account) -> Lane.of(account);
      case BeginOnce(var key, _, _) -> Lane.of(key.hash());
      case KeepAnswer(var key, _, _, _) -> Lane.of(key.hash());
      case LeaveUnanswered(var key, _, _) -> Lane.of(key.hash());
    };
  }

  /// Makes an account. Refusals: `invalid_field` (`handle`, `display_name`), `conflict` (handle
  /// taken).
  record SignUp(String handle, HashedPassword password, @Nullable String displayName)
      implements AccountCommand<Account> {}

  /// How to hash what is said to be the password of a handle, and whether who says so has been
  /// signed in to it before; for a handle that nobody has the answer looks alike.
  ///
  /// @param from the address group of the client
  /// @param refreshToken of an earlier sign-in, if the client brought one
  record Approach(String handle, String from, @Nullable Secret refreshToken)
      implements AccountCommand<Approached> {}

  /// @param device the device of the account to which the refresh token belongs
  /// @param fromKnown whether a device of the account was used from this address
  record Approached(PasswordSalt salt, @Nullable DeviceId device, boolean fromKnown)
      implements BusMessage {}

  /// Signs a device in with a password; without a `device.deviceId` the server makes one. An
  /// earlier sign-in of the device ends. Refusals: `invalid_field` (`device.…`) and
  /// `unauthorized`, the same and after the same work for a wrong password and an unknown
  /// handle.
  ///
  /// @param from the address group of the client
  record SignIn(String handle, PasswordProof password, @Nullable DeviceInfo device, String from)
      implements AccountCommand<Tokens> {}

  /// Trades a refresh token for new tokens (spec §11.1). Refusal: `unauthorized`.
  ///
  /// @param from the address group of the client
  record Refresh(Secret refreshToken, String from) implements AccountCommand<Refreshed> {}

  /// Ends this sign-in: its tokens and its sockets. One that the device began later stays.
  ///
  /// @param refreshToken that a browser keeps, if it brought one; it may be of another sign-in
  record SignOut(Authenticated signIn, @Nullable Secret refreshToken)
      implements AccountCommand<SignedOut> {}

  /// @param over whether what the browser keeps is of no sign-in any more. Not where the device has
  ///     signed in again: then it may have got another token meanwhile
  record SignedOut(boolean over) implements BusMessage {}

  /// Makes a ticket: one socket, once, within its life.
  record IssueTicket(Caller caller) implements AccountCommand<Ticket> {}

  /// Whether a session of this caller may go on by this access token. Refusals: `unauthorized`,
  /// `token_expired`, `invalid_field` (`token`) for one of another account or device.
  record Renew(Caller caller, Secret accessToken) implements AccountCommand<Renewed> {}

  /// Who bears a ticket, which is used up by this. Refusal: `unauthorized`.
  record RedeemTicket(Secret ticket) implements AccountCommand<Authenticated> {}

  /// Which of these sign-ins have ended. A node asks this about its sockets after it heard of a
  /// revocation, or may have missed one.
  ///
  /// @param signIns one at least
  record FindEnded(List<Authenticated> signIns) implements AccountCommand<Ended> {
    public FindEnded {
      Command.requireSome(signIns);
    }
  }

  /// How often each of these accounts changed. A node that may have missed a signal asks this
  /// first, and for more only where the number has risen.
  ///
  /// @param accounts one at least
  record CountChanges(List<AccountId> accounts) implements AccountCommand<ChangeCounts> {
    public CountChanges {
      Command.requireSome(accounts);
    }
  }

  record ChangeCounts(Map<AccountId, ChangeCount> byAccount) implements BusMessage {}

  /// Stores name and platform of a device, as a `hello` tells them. Refusals: `invalid_field`
  /// (`device.name`, `device.platform`).
  record UpdateDevice(Caller caller, String name, String platform)
      implements AccountCommand<Done> {}

  /// The caller's own account.
  record ReadMe(AccountId caller) implements AccountCommand<MeView> {}

  /// What clients ask about their own account and its devices.
  sealed interface Own<R extends BusMessage> extends AccountCommand<R> {}

  /// How to hash what is said to be the password of the caller.
  record FindOwnSalt(AccountId caller) implements Own<PasswordSalt> {}

  /// Changes the password and ends the sign-ins of all other devices. Refusal: `invalid_field`
  /// (`old` is not the password).
  record ChangePassword(Caller caller, PasswordProof old, HashedPassword fresh)
      implements Own<Done> {}

  /// Changes what is given. Refusal: `invalid_field` (`display_name`).
  ///
  /// @param seen the account must have one of these tags, else `precondition_failed`; null: any
  record ChangeMe(AccountId caller, MeChange change, @Nullable List<EntityTag> seen)
      implements Own<MeView> {}

  /// What is to be another thing; null: as before.
  record MeChange(
      @Nullable String displayName,
      @Nullable InvitesFrom invitesFrom,
      @Nullable VisibleTo presenceVisibleTo,
      @Nullable VisibleTo lastSeenVisibleTo,
      @Nullable Boolean privateReading) {
    /// Whether it says who may see that the account is there.
    boolean isAboutSight() {
      return presenceVisibleTo != null || lastSeenVisibleTo != null;
    }
  }

  /// The devices that are signed in or have keys, by their ids.
  record ListDevices(Caller caller, @Nullable DeviceId after, int limit)
      implements Own<DevicePage> {}

  /// Gives a device that is signed in another name, and tells the account. Refusals: `not_found`,
  /// `invalid_field` (`name`).
  record RenameDevice(Caller caller, DeviceId device, String name) implements Own<SignedInDevice> {}

  /// Removes the account for good, as [Remove] does. Refusal: `invalid_field` (`password`).
  record RemoveMe(AccountId caller, PasswordProof password) implements Own<Done> {}

  /// Forgets a device, which ends its tokens, sockets and keys. Refusal: `not_found`.
  record RemoveDevice(AccountId caller, DeviceId device) implements Own<Forgotten> {}

  /// The accounts that the caller has blocked, by their ids.
  record ListBlocks(AccountId caller, @Nullable AccountId after, int limit)
      implements Own<BlockPage> {}

  /// Blocks an account, if it is not blocked. Refusals: `not_found`, `invalid_field` for oneself.
  record Block(AccountId caller, AccountId blocked) implements Own<Blocked> {}

  /// Blocks an account no longer.
  record Unblock(AccountId caller, AccountId blocked) implements Own<Done> {}

  /// What operators and administrators do. The edge has checked before that the caller is one.
  sealed interface Administration<R extends BusMessage> extends AccountCommand<R> {}

  /// Makes accounts, each for itself; the answer has their order.
  ///
  /// @param accounts one at least
  record CreateAccounts(List<NewAccount> accounts) implements Administration<CreatedAccounts> {
    public CreateAccounts {
      Command.requireSome(accounts);
    }
  }

  /// Signs a device of an account in, and tells the account. Refusals: `not_found`, `forbidden`
  /// (suspended), `invalid_field` (`device.…`), `conflict` (too many devices).
  record IssueTokens(AccountId account, @Nullable DeviceInfo device, ApiKeyId issuedBy)
      implements Administration<Tokens> {}

  /// Ends all sign-ins of an account and lets none begin. Refusal: `not_found`.
  record Suspend(AccountId account) implements Administration<AccountState> {}

  /// Lets people sign in again. Refusal: `not_found`.
  record Restore(AccountId account) implements Administration<AccountState> {}

  /// Removes an account for good; its messages stay. Refusal: `not_found` for one that was never
  /// there.
  record Remove(AccountId account) implements Administration<Done> {}

  /// The accounts that are not removed, by their ids.
  record ListAccounts(@Nullable AccountId after, int limit)
      implements Administration<AccountPage> {}

  /// Refusal: `not_found`, also for a removed one.
  record ReadAccount(AccountId account) implements Administration<AccountState> {}

  /// Makes a bot with its first token, or one more token for a bot that is there. Refusals:
  /// `invalid_field` (`handle`, `display_name`), `conflict` (handle of somebody else, too many
  /// tokens), `forbidden` (suspended).
  record MakeBot(String handle, @Nullable String displayName) implements Administration<MadeBot> {}

  /// What an account is on the server as a whole. Refusal: `not_found`, also for a removed one.
  record ReadStatus(AccountId account) implements Administration<AccountStatus> {}

  /// Accounts by id; unknown ones are left out.
  record FindByIds(List<AccountId> ids) implements AccountCommand<Accounts> {}

  /// The account with this handle, or none.
  record FindByHandle(String handle) implements AccountCommand<Accounts> {}

  record Account(AccountId accountId, String handle, String displayName) implements BusMessage {}

  /// An account as it sees itself.
  ///
  /// @param privateReading whether others are not told what it has read
  record Me(
      AccountId accountId,
      String handle,
      String displayName,
      InvitesFrom invitesFrom,
      VisibleTo presenceVisibleTo,
      VisibleTo lastSeenVisibleTo,
      boolean privateReading) {}

  /// An account as it sees itself, with the tag of this state.
  record MeView(Me me, EntityTag tag) implements BusMessage {}

  record Accounts(List<Account> accounts) implements BusMessage {}

  record Tokens(
      Secret accessToken,
      Secret refreshToken,
      Duration expiresIn,
      AccountId accountId,
      DeviceId deviceId)
      implements Refreshed {}

  /// What became of a refresh token.
  sealed interface Refreshed extends BusMessage {}

  /// The token was spent before, which ended its sign-in: two parties hold it.
  record Replayed(AccountId account) implements Refreshed {}

  /// What a client is told of a refresh token that is good for nothing, whatever it was.
  static Refusal wrongRefreshToken() {
    return new Refusal(ErrorCode.UNAUTHORIZED, "the refresh token is not valid");
  }

  record Ticket(Secret ticket, Duration expiresIn) implements BusMessage {}

  /// One sign-in of one device.
  record Authenticated(Caller caller, FamilyId family) implements BusMessage {}

  /// What concerns a call that is made once for each key of its caller.
  sealed interface Once<R extends BusMessage> extends AccountCommand<R> {}

  /// Begins a call, unless it was answered. Refusals: `idempotency_mismatch` for another body,
  /// `unavailable` while somebody else makes it.
  ///
  /// @param bodyHash SHA-256 in hexadecimal of what the caller chose as the key and of the body
  /// @param lease how long nobody else begins it
  record BeginOnce(CallKey key, String bodyHash, Duration lease) implements Once<Begun> {}

  /// Keeps what a call was answered.
  record KeepAnswer(CallKey key, long seed, int status, Secret content) implements Once<Done> {}

  /// A call that was begun has no answer to be kept.
  ///
  /// @param nothingCame whether it surely made nothing: then its key is free
  record LeaveUnanswered(CallKey key, long seed, boolean nothingCame) implements Once<Done> {}

  sealed interface Begun extends BusMessage {}

  /// It is to be made.
  ///
  /// @param seed the same each time that it is
  /// @param first whether nobody can have made it before
  record Fresh(long seed, boolean first) implements Begun {}

  /// It was answered.
  record Again(int status, Secret content) implements Begun {}

  /// @param expiresIn how long the token is still good
  record Renewed(Authenticated signIn, Duration expiresIn) implements BusMessage {}

  /// @param suspended the accounts that are suspended, which is why their sign-ins ended
  record Ended(List<Authenticated> signIns, List<AccountId> suspended) implements BusMessage {}

  /// @param current whether the request comes from this device
  /// @param createdAt milliseconds since 1970, as `lastSeenAt`
  /// @param lastSeenAt when it signed in or traded its refresh token
  /// @param issuedBy [#API_KEY] where a backend signed it in
  /// @param signedOutAt where it is, and still has keys
  /// @param registrationId where it has keys, as `suite`
  record SignedInDevice(
      DeviceId deviceId,
      String name,
      String platform,
      boolean current,
      long createdAt,
      long lastSeenAt,
      @Nullable String issuedBy,
      @Nullable Long signedOutAt,
      @Nullable Long registrationId,
      @Nullable Suite suite)
      implements BusMessage {
    static final String API_KEY = "api_key";
  }

  /// @param next to ask for the devices after these; null at the end
  record DevicePage(List<SignedInDevice> devices, @Nullable DeviceId next) implements BusMessage {}

  record Blocked(AccountId accountId) implements BusMessage {}

  /// @param next to ask for those after these; null at the end
  record BlockPage(List<Blocked> blocks, @Nullable AccountId next) implements BusMessage {}

  record AccountStatus(ServerRole role, boolean suspended, boolean removed) implements BusMessage {}

  /// An account as administrators see it.
  record AccountState(
      AccountId accountId, String handle, String displayName, ServerRole role, boolean suspended)
      implements BusMessage {}

  /// Some of the accounts of the server, by their ids.
  ///
  /// @param next to ask for those after these; null at the end
  record AccountPage(List<AccountState> accounts, @Nullable AccountId next) implements BusMessage {}

  /// A bot and the device that its token signs in.
  ///
  /// @param token never shown again
  record MadeBot(AccountId account, String handle, DeviceId device, Secret token)
      implements BusMessage {}

  /// @param password null: nobody can sign in with one
  record NewAccount(
      String handle,
      @Nullable String displayName,
      @Nullable HashedPassword password,
      ServerRole role) {}

  /// @param was whether the device was there
  record Forgotten(boolean was) implements BusMessage {}

  record CreatedAccounts(List<Created> accounts) implements BusMessage {}

  /// Either an account or why it was not made.
  record Created(@Nullable AccountId accountId, @Nullable Fault error) {
    static Created of(AccountId account) {
      return new Created(account, null);
    }

    /// Whether it may be made another time.
    public boolean mayBeMadeLater() {
      return error != null && error.code().retryable();
    }

    public static Created refused(Refusal refusal) {
      return new Created(null, Fault.of(refusal));
    }
  }

  /// A refusal of one of many that a call asked for.
  record Fault(ErrorCode code, String message, @Nullable String field) {
    public static Fault of(Refusal refusal) {
      return new Fault(refusal.code(), refusal.detail(), refusal.field().orElse(null));
    }
  }
}
