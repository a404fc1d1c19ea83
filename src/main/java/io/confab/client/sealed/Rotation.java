package io.confab.client.sealed;

import java.time.Duration;

/// How long a device encrypts for a room with one key.
public record Rotation(int messages, Duration age) {
  public static final Rotation DIRECT = new Rotation(20, Duration.ofDays(1));
  public static final Rotation GROUP = new Rotation(100, Duration.ofDays(7));
}
