package io.confab.security;

import io.confab.protocol.WireName;

/// What the security log tells, and how many lines of it from one address in a minute. What
/// strangers can do without end has one line.
public enum SecurityEvent implements WireName {
  /// A wrong password: to sign in, as the old one for a new one, or to remove the account.
  SIGN_IN_FAILED(1),
  /// An attempt to prove a password that was refused without a look.
  SIGN_IN_THROTTLED(1),
  /// A spent refresh token came again, which ended its sign-in.
  REFRESH_REPLAYED(1),
  /// Somebody ended sign-ins: signed out, forgot a device, changed a password, removed an account.
  SIGN_IN_ENDED(20),
  /// The identity was changed that an account shows to those in sealed rooms with it, or those of
  /// its devices: who holds it can speak for them.
  IDENTITY_CHANGED(20),
  /// A call of an administrator, or of the API key in its own name.
  ADMIN_CALL(Integer.MAX_VALUE),
  /// A wrong API key, or a call of administrators by somebody else.
  ADMIN_REFUSED(1),
  /// A call of the API key for an account.
  KEY_CALL(1),
  /// A command of an operator.
  OPERATOR_COMMAND(Integer.MAX_VALUE),
  /// Another key signs access tokens from now on.
  KEY_ROTATED(Integer.MAX_VALUE);

  private final int lines;

  SecurityEvent(int lines) {
    this.lines = lines;
  }

  int lines() {
    return lines;
  }
}
