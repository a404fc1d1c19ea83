package io.confab.protocol;

import io.confab.config.WireName;

/// Who may bring an account into a room without asking it.
public enum InvitesFrom implements WireName {
  EVERYONE,
  SHARED_ROOMS,
  NOBODY;
}
