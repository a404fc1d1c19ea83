package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.BusMessage;
import java.time.Duration;

/// Who bears a token, by the token alone.
public sealed interface Bearer extends BusMessage {
  /// How long a session may outlive the outside token that it goes on by.
  Duration GRACE = Duration.ofSeconds(25);

  /// A device of ours by one of its sign-ins.
  record OnDevice(Authenticated signIn) implements Bearer {}

  /// Somebody whom an outside issuer vouches for, on no device yet.
  record Outside(OutsideToken token) implements Bearer {}
}
