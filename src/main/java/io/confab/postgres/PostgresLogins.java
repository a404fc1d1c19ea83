package io.confab.postgres;

/// How to log in to the database: as the owner of the schema, who migrates it, and as who works on
/// it, which are one where nobody else is named.
public record PostgresLogins(PostgresUrl owner, PostgresUrl node) {
  /// One role for both.
  public static PostgresLogins of(PostgresUrl one) {
    return new PostgresLogins(one, one);
  }

  boolean areApart() {
    return !owner.user().equals(node.user());
  }
}
