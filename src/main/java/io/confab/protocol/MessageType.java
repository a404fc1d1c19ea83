package io.confab.protocol;

import io.confab.config.WireName;

/// What kind of content a message has.
public enum MessageType implements WireName {
  TEXT;
}
