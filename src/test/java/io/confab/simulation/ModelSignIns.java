package io.confab.simulation;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.account.FamilyId;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Which sign-in each device has, as the database knows it. A token names its sign-in, and is taken
/// for good until somebody looks here.
final class ModelSignIns {
  private final Map<Caller, Long> current = new HashMap<>();
  private final Map<AccountId, Long> ended = new HashMap<>();

  /// Signs the device in and answers its token.
  String begin(AccountId account, DeviceId device) {
    end(account, device);
    long number = current.merge(new Caller(account, device), 1L, (n, one) -> Math.abs(n) + one);
    return account.value() + "/" + device.value() + "/" + number;
  }

  void end(AccountId account, DeviceId device) {
    if (current.computeIfPresent(new Caller(account, device), (_, number) -> -Math.abs(number))
        != null) {
      ended.merge(account, 1L, Long::sum);
    }
  }

  /// How many sign-ins of the account have ended, or more.
  long ended(AccountId account) {
    return ended.getOrDefault(account, 0L);
  }

  /// What a token says of itself.
  static Authenticated read(String token) {
    String[] parts = token.split("/", 3);
    return new Authenticated(
        new Caller(new AccountId(Long.parseLong(parts[0])), new DeviceId(parts[1])),
        new FamilyId(new UUID(1, Long.parseLong(parts[2]))));
  }

  boolean isCurrent(Authenticated signIn) {
    long number = signIn.family().value().getLeastSignificantBits();
    return current.getOrDefault(signIn.caller(), 0L) == number;
  }
}
