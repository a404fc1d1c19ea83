package io.confab.account;

import java.util.Locale;

/// What an account may do on the server as a whole.
public enum ServerRole {
  USER,
  ADMIN,
  BOT;

  private final String key = name().toLowerCase(Locale.ROOT);

  /// The name in the database and on the command line.
  public String key() {
    return key;
  }
}
