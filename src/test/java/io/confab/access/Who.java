package io.confab.access;

/// A kind of caller: a column of the matrix.
enum Who {
  NOBODY("no"),
  STRANGER("st"),
  INVITED("in"),
  FORMER("fo"),
  BANNED("ba"),
  MUTED("mu"),
  BLOCKED("bl"),
  MEMBER("me"),
  ADMIN("ad"),
  OWNER("ow"),
  SERVER_ADMIN("sa"),
  API_KEY("ak"),
  SUSPENDED("su"),
  REVOKED("re"),
  EXPIRED("ex");

  private final String column;

  Who(String column) {
    this.column = column;
  }

  /// The head of its column.
  String column() {
    return column;
  }

  /// Whether it has an account and credentials that are good.
  boolean isSignedIn() {
    return switch (this) {
      case NOBODY, API_KEY, SUSPENDED, REVOKED, EXPIRED -> false;
      case STRANGER, INVITED, FORMER, BANNED, MUTED, BLOCKED, MEMBER, ADMIN, OWNER, SERVER_ADMIN ->
          true;
    };
  }

  /// Whether nothing of a room may come to it.
  boolean isOutside() {
    return switch (this) {
      case MUTED, BLOCKED, MEMBER, ADMIN, OWNER -> false;
      case NOBODY,
          STRANGER,
          INVITED,
          FORMER,
          BANNED,
          SERVER_ADMIN,
          API_KEY,
          SUSPENDED,
          REVOKED,
          EXPIRED ->
          true;
    };
  }
}
