package io.confab.account;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What an account may do on the server as a whole.
public enum ServerRole {
  USER,
  ADMIN,
  BOT;

  private final String key = name().toLowerCase(Locale.ROOT);

  /// The role with this name.
  static ServerRole of(String key) {
    return find(key).orElseThrow();
  }

  /// The role with this name, if there is one.
  public static Optional<ServerRole> find(String key) {
    return Arrays.stream(values()).filter(role -> role.key.equals(key)).findFirst();
  }

  /// The name in the database, on the command line and on the wire.
  @JsonValue
  public String key() {
    return key;
  }
}
