package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.Secret;
import org.jspecify.annotations.Nullable;

/// What the edge asks about tokens that may be ours or those of an outside issuer. Refusals of
/// all: `unauthorized` for a token that is neither, `token_expired` for an expired one,
/// `unavailable` while the token cannot be judged.
public sealed interface BearerCommand<R extends BusMessage> extends Command<R> {
  Address<BearerCommand<?>> ADDRESS = new Address<>("bearers", NodeRole.ROUTING);

  @Override
  default Address<BearerCommand<?>> address() {
    return ADDRESS;
  }

  @Override
  default Lane lane() {
    return switch (this) {
      case Identify(var token) -> Lane.of(token.value());
      case IdentifyDevice(var token) -> Lane.of(token.value());
      case Read(var token) -> Lane.of(token.value());
      case Admit(var token, _) -> Lane.of(token.identity().name());
    };
  }

  /// Whose token it is, on whatever device; an account is made when an outside one is first
  /// used.
  record Identify(Secret token) implements BearerCommand<Identified> {}

  /// @param signIn by which the account calls; null for an outside token
  record Identified(AccountId account, @Nullable Authenticated signIn) implements BusMessage {}

  /// The device that bears the token. Refusal: `forbidden` for an outside token, which is bound
  /// to none.
  record IdentifyDevice(Secret token) implements BearerCommand<Authenticated> {}

  /// Who bears the token, by the token alone. A socket may use an outside token until 25 s after
  /// `exp`.
  record Read(Secret token) implements BearerCommand<Bearer> {}

  /// Signs the bearer of an outside token in on a device, unless it is signed in already. The
  /// device is made or described anew, and the account is made if there is none. Refusal:
  /// `forbidden` for a suspended account.
  record Admit(OutsideToken token, DeviceInfo device) implements BearerCommand<Authenticated> {}
}
