package io.confab.account;

import io.confab.protocol.WireName;

/// What an account may do on the server as a whole.
public enum ServerRole implements WireName {
  USER,
  ADMIN,
  BOT;
}
