package io.confab.account;

import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.AccountStatus;
import io.confab.account.AccountCommand.NewAccount;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.confab.protocol.TextRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Who may have an account, and what the status of an account allows: decisions without stores.
/// Whether a handle is free only the database knows.
public final class AccountRules {
  private AccountRules() {}

  /// The account that is asked for. Without a display name it shows its handle. Refusals:
  /// `invalid_field`, of the first in this order that does not fit: `handle`, `password`,
  /// `display_name`.
  static Account make(NewAccount asked, AccountId id) {
    String handle = TextRules.handle("handle", asked.handle());
    if (asked.password() != null) {
      requirePerson(asked.role());
    }
    String shown =
        asked.displayName() == null ? handle : TextRules.name("display_name", asked.displayName());
    return new Account(id, handle, shown);
  }

  /// Checks what needs no other knowledge, before a password is hashed. Refusals: as [#make].
  public static void check(
      String handle, Secret password, @Nullable String displayName, ServerRole role) {
    TextRules.handle("handle", handle);
    requirePerson(role);
    TextRules.password("password", password.value());
    if (displayName != null) {
      TextRules.name("display_name", displayName);
    }
  }

  private static void requirePerson(ServerRole role) {
    if (role == ServerRole.BOT) {
      throw Refusal.invalidField("password", "a bot has none");
    }
  }

  /// Only an active account signs in. Refusals: `unauthorized` for an account that is not there,
  /// `forbidden` for a suspended one.
  static AccountStatus requireActive(Optional<AccountStatus> found) {
    AccountStatus status =
        found
            .filter(s -> !s.removed())
            .orElseThrow(() -> new Refusal(ErrorCode.UNAUTHORIZED, "no such account"));
    if (status.suspended()) {
      throw new Refusal(ErrorCode.FORBIDDEN, "the account is suspended");
    }
    return status;
  }

  /// Only an active bot gets a token that does not expire. Refusals: as [#requireActive];
  /// `conflict` for the handle of somebody else.
  static AccountStatus requireBot(Optional<AccountStatus> found) {
    AccountStatus status = requireActive(found);
    if (status.role() != ServerRole.BOT) {
      throw handleTaken();
    }
    return status;
  }

  static Refusal handleTaken() {
    return new Refusal(ErrorCode.CONFLICT, "handle", "the handle is taken");
  }

  static Refusal noSuchAccount() {
    return new Refusal(ErrorCode.NOT_FOUND, "no such account");
  }
}
