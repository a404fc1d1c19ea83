package io.confab.protocol;

/// What kind of content a message has.
public enum MessageType implements WireName {
  TEXT;
}
