package io.confab.account.outside;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.bus.Address;
import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Lane;
import io.confab.config.NodeRole;
import io.confab.config.Secret;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceInfo;

/// What the edge asks about tokens that may be ours or those of an outside issuer. All refuse
/// with `unauthorized` what is neither, with `token_expired` what is over, and with `unavailable`
/// while nobody can say.
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

  record Identified(AccountId account) implements BusMessage {}

  /// By which device of ours it is borne. Refusal: `forbidden` for an outside token, which is
  /// bound to none.
  record IdentifyDevice(Secret token) implements BearerCommand<Authenticated> {}

  /// Who bears it, by the token alone. One that is over for a socket, which has 25 s after `exp`,
  /// is refused.
  record Read(Secret token) implements BearerCommand<Bearer> {}

  /// Takes the bearer of an outside token in on a device, which is made, described anew and signed
  /// in unless it is; its account is made if there is none. Refusal: `forbidden` for a suspended
  /// account.
  record Admit(OutsideToken token, DeviceInfo device) implements BearerCommand<Authenticated> {}
}
