package io.confab.protocol;

import io.confab.config.WireName;

/// How people come into a room: a pair, by invitation, or by finding and joining it.
public enum RoomType implements WireName {
  DIRECT,
  GROUP,
  CHANNEL;
}
