package io.confab.http;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Approached;
import io.confab.account.AccountCommand.Tokens;
import io.confab.account.AccountRules;
import io.confab.account.Devices;
import io.confab.account.HashedPassword;
import io.confab.account.PasswordProof;
import io.confab.account.Passwords;
import io.confab.account.Passwords.Place;
import io.confab.account.ServerRole;
import io.confab.bus.Bus;
import io.confab.bus.Done;
import io.confab.config.Config;
import io.confab.limit.SignInThrottle;
import io.confab.limit.Visitor;
import io.confab.listener.ClientAddress;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The calls that carry passwords. Each password is hashed here, where it arrives: the bus carries
/// hashes of new ones, and of others what shows that somebody knows them.
final class PasswordCalls {
  private final Bus bus;
  private final Passwords passwords;
  private final SignInThrottle throttle;
  private final Config.Accounts config;

  PasswordCalls(Bus bus, Passwords passwords, SignInThrottle throttle, Config.Accounts config) {
    this.bus = bus;
    this.passwords = passwords;
    this.throttle = throttle;
    this.config = config;
  }

  Future<Account> signUp(
      ClientAddress address, String handle, Secret password, @Nullable String displayName) {
    require(config.signUp(), "sign-up is switched off");
    return hash(Place.stranger(address.network()), handle, password, displayName, ServerRole.USER)
        .compose(hashed -> bus.request(new AccountCommand.SignUp(handle, hashed, displayName)));
  }

  /// @param refreshToken of an earlier sign-in, if the client brought one
  Future<Tokens> signIn(
      ClientAddress address,
      String handle,
      Secret password,
      @Nullable DeviceInfo device,
      Optional<Secret> refreshToken) {
    require(config.passwordSignIn(), "sign-in by password is switched off");
    if (device != null) {
      Devices.check(device);
    }
    String from = address.group();
    return bus.request(new AccountCommand.Approach(handle, from, refreshToken.orElse(null)))
        .compose(
            approached -> {
              Visitor visitor = visitor(handle, address, approached);
              return throttle.attempt(
                  visitor,
                  ErrorCode.UNAUTHORIZED,
                  () ->
                      passwords
                          .prove(password, approached.salt(), place(visitor))
                          .compose(
                              proof ->
                                  bus.request(
                                      new AccountCommand.SignIn(handle, proof, device, from))));
            });
  }

  private static Visitor visitor(String handle, ClientAddress address, Approached approached) {
    Optional<String> device = Optional.ofNullable(approached.device()).map(DeviceId::value);
    return new Visitor(handle, address, device, device.isPresent() || approached.fromKnown());
  }

  private static Place place(Visitor visitor) {
    return visitor.known()
        ? Place.known(visitor.whose())
        : Place.stranger(visitor.address().network());
  }

  Future<Done> change(ClientAddress address, Caller caller, Secret old, Secret fresh) {
    return proven(
        address,
        caller,
        old,
        (proof, place) ->
            passwords
                .hash(fresh, place)
                .map(hashed -> new AccountCommand.ChangePassword(caller, proof, hashed)));
  }

  Future<Done> removeMe(ClientAddress address, Caller caller, Secret password) {
    return proven(
        address,
        caller,
        password,
        (proof, _) -> Future.succeededFuture(new AccountCommand.RemoveMe(caller.account(), proof)));
  }

  /// Asks for what needs the caller's password once more. A wrong one counts as a failed sign-in.
  private Future<Done> proven(
      ClientAddress address,
      Caller caller,
      Secret password,
      BiFunction<PasswordProof, Place, Future<? extends AccountCommand<Done>>> command) {
    Visitor visitor =
        Visitor.onDevice(caller.account().toString(), address, caller.device().value());
    return throttle.attempt(
        visitor,
        ErrorCode.INVALID_FIELD,
        () ->
            bus.request(new AccountCommand.FindOwnSalt(caller.account()))
                .compose(salt -> passwords.prove(password, salt, place(visitor)))
                .compose(proof -> command.apply(proof, place(visitor)))
                .compose(bus::request));
  }

  /// Hashes the password of a new account. Refusals: as [AccountRules#check], before it is hashed.
  Future<HashedPassword> hash(
      Place place, String handle, Secret password, @Nullable String displayName, ServerRole role) {
    AccountRules.check(handle, password, displayName, role);
    return passwords.hash(password, place);
  }

  private static void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new Refusal(ErrorCode.FORBIDDEN, otherwise);
    }
  }
}
