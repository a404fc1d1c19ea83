package io.confab.key;

import io.confab.protocol.WireName;

/// What became of a device of which a key was asked for, as metrics name it.
public enum ClaimOutcome implements WireName {
  ONE_TIME,
  FALLBACK,
  NONE,
  LIMITED
}
