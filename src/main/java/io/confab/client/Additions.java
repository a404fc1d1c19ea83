package io.confab.client;

import io.confab.protocol.AccountId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of accounts that were to be members of a room.
///
/// @param members each of them, in the order of the call
/// @param invited who was asked instead of being made a member; empty when absent
public record Additions(List<Added> members, List<AccountId> invited) {
  public Additions {
    invited = invited == null ? List.of() : List.copyOf(invited);
  }

  /// @param error why the account was neither added nor asked
  public record Added(AccountId accountId, @Nullable Fault error) {}
}
