package io.confab.account;

import io.confab.config.Sha256;
import java.util.HexFormat;

/// A password as it is stored: the PHC string of its hash. Its text form hides it.
public record HashedPassword(String phc) {
  /// What shows that somebody knows the password whose hash this is.
  public PasswordProof proof() {
    return new PasswordProof(HexFormat.of().formatHex(Sha256.of(phc)));
  }

  @Override
  public String toString() {
    return "***";
  }
}
