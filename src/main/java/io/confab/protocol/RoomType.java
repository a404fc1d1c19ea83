package io.confab.protocol;

/// How people come into a room: a pair, by invitation, or by finding and joining it.
public enum RoomType implements WireName {
  DIRECT,
  GROUP,
  CHANNEL;
}
