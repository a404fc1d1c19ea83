package io.confab.http;

import io.confab.account.AccountCommand;
import io.confab.account.AccountCommand.Account;
import io.confab.account.AccountCommand.Tokens;
import io.confab.account.HashedPassword;
import io.confab.account.Passwords;
import io.confab.bus.Bus;
import io.confab.bus.Done;
import io.confab.config.Config;
import io.confab.config.Secret;
import io.confab.limit.SignInThrottle;
import io.confab.listener.ClientAddress;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Refusal;
import io.confab.protocol.TextRules;
import io.vertx.core.Future;
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

  Future<Account> signUp(String handle, Secret password, @Nullable String displayName) {
    require(config.signUp(), "sign-up is switched off");
    return hash(handle, password)
        .compose(hashed -> bus.request(new AccountCommand.SignUp(handle, hashed, displayName)));
  }

  Future<Tokens> signIn(
      ClientAddress address, String handle, Secret password, @Nullable DeviceInfo device) {
    require(config.passwordSignIn(), "sign-in by password is switched off");
    return throttle.attempt(
        handle,
        address,
        ErrorCode.UNAUTHORIZED,
        () ->
            bus.request(new AccountCommand.FindSalt(handle))
                .compose(salt -> passwords.prove(password, salt))
                .compose(proof -> bus.request(new AccountCommand.SignIn(handle, proof, device))));
  }

  Future<Done> change(ClientAddress address, Caller caller, Secret old, Secret fresh) {
    return throttle.attempt(
        caller.account().toString(),
        address,
        ErrorCode.INVALID_FIELD,
        () ->
            bus.request(new AccountCommand.FindOwnSalt(caller.account()))
                .compose(salt -> passwords.prove(old, salt))
                .compose(
                    proof ->
                        passwords
                            .hash(fresh)
                            .map(
                                hashed -> new AccountCommand.ChangePassword(caller, proof, hashed)))
                .compose(bus::request));
  }

  private static void require(boolean allowed, String otherwise) {
    if (!allowed) {
      throw new Refusal(ErrorCode.FORBIDDEN, otherwise);
    }
  }

  /// Hashes the password of a new account. Refusals: `invalid_field` of the first that does not
  /// fit, `handle` or `password`.
  Future<HashedPassword> hash(String handle, Secret password) {
    TextRules.handle("handle", handle);
    TextRules.password("password", password.value());
    return passwords.hash(password);
  }
}
