package io.confab.limit;

import io.confab.listener.ClientAddress;
import java.util.Locale;
import java.util.Optional;

/// Who tries a password.
///
/// @param whose the handle, in lower case, or another name of the account
/// @param device a device of the account, if it has shown that it is one
/// @param known whether it is such a device, or somebody signed in to the account from this address
///     before
public record Visitor(String whose, ClientAddress address, Optional<String> device, boolean known) {
  public Visitor {
    whose = whose.toLowerCase(Locale.ROOT);
  }

  /// Somebody on a device that is signed in.
  public static Visitor onDevice(String whose, ClientAddress address, String device) {
    return new Visitor(whose, address, Optional.of(device), true);
  }

  /// Under this name the tries of a visitor are counted.
  String name() {
    return device.map(id -> "device " + id).orElseGet(address::group);
  }
}
