package io.confab.protocol;

/// Who may bring an account into a room without asking it.
public enum InvitesFrom implements WireName {
  EVERYONE,
  SHARED_ROOMS,
  NOBODY;
}
