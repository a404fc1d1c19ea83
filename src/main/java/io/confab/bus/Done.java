package io.confab.bus;

/// The answer of a command that has nothing to tell.
public record Done() implements BusMessage {
  public static final Done DONE = new Done();
}
