package io.confab.protocol;

/// Who may see something of an account.
public enum VisibleTo implements WireName {
  EVERYONE,
  SHARED_ROOMS,
  NOBODY;
}
