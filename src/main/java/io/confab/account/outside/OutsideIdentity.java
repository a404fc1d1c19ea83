package io.confab.account.outside;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Who a person is elsewhere: the subject of an issuer. The same subject of two issuers is two
/// people.
public record OutsideIdentity(String issuer, String subject) {
  /// A short name for it, in which nothing of it can be read (a UUID of version 3, RFC 9562).
  public String name() {
    return UUID.nameUUIDFromBytes((issuer + "\n" + subject).getBytes(StandardCharsets.UTF_8))
        .toString();
  }
}
