package io.confab.account;

/// How often something changed that the sessions of an account must know: a membership began or
/// ended, or a sign-in ended. Rises with each such commit.
public record ChangeCount(long value) {
  public boolean isAfter(ChangeCount other) {
    return value > other.value;
  }
}
