package io.confab.account.outside;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Who somebody is elsewhere: what an issuer calls its subject. The same subject of two issuers
/// is two people.
public record OutsideIdentity(String issuer, String subject) {
  /// A short name for it, in which nothing of it can be read (a UUID of version 3, RFC 9562).
  public String name() {
    return UUID.nameUUIDFromBytes((issuer + "\n" + subject).getBytes(StandardCharsets.UTF_8))
        .toString();
  }
}
