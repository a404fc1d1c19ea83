package io.confab.bus;

/// The answer of a command that returns nothing.
public record Done() implements BusMessage {
  public static final Done DONE = new Done();
}
