package io.confab.account;

/// Shows that somebody knows a password: the SHA-256 of its [HashedPassword], in hexadecimal. Both
/// can be compared, and neither be made from it. Its text form hides it.
public record PasswordProof(String sha256) {
  @Override
  public String toString() {
    return "***";
  }
}
