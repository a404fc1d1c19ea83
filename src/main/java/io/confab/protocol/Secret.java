package io.confab.protocol;

/// Text that must never be printed: its text form hides it.
public record Secret(String value) {
  @Override
  public String toString() {
    return "***";
  }
}
