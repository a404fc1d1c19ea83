package io.confab.ledger;

/// Something that does not hold.
///
/// @param text says where: rooms, clients, numbers
public record Violation(Invariant name, String text) {
  @Override
  public String toString() {
    return name + ": " + text;
  }
}
