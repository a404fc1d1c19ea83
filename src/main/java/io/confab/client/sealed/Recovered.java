package io.confab.client.sealed;

/// What became of opening a vault. All but [#DONE] changed nothing.
public enum Recovered {
  /// This device has the identity of the account now, and signed itself.
  DONE,
  /// It had it already.
  PRESENT,
  /// The account has none.
  NO_VAULT,
  /// It is larger than any vault.
  TOO_LARGE,
  /// It was made by another version of this program.
  OTHER_VERSION,
  /// It is of another account.
  OTHER_ACCOUNT,
  /// Another recovery key opens it.
  WRONG_KEY,
  /// This key opens it, and what is in it was changed.
  DAMAGED,
  /// It has another identity than the one that the server tells of.
  OTHER_IDENTITY
}
