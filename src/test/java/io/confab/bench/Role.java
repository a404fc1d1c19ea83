package io.confab.bench;

/// Whose processor time it is.
enum Role {
  SERVER("server"),
  POSTGRES("PostgreSQL"),
  REDIS("Redis");

  private final String word;

  Role(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /// By the name of a program; a shell that watches over a server counts with the one that began
  /// it.
  static Role of(String program) {
    return switch (program) {
      case "postgres" -> POSTGRES;
      case "redis-server" -> REDIS;
      default -> SERVER;
    };
  }
}
