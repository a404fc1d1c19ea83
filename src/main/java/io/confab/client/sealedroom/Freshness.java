package io.confab.client.sealedroom;

import io.confab.protocol.AccountId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Of which accounts the devices are known as they are now.
///
/// The server tells with a version that the devices of an account are others; a connection that was
/// lost may have missed that. What was asked before either of them and comes after it is old.
final class Freshness {
  private final Map<AccountId, Long> newest = new HashMap<>();
  private final Set<AccountId> known = new HashSet<>();
  private int round;

  /// The devices of an account are others since this version.
  void changed(AccountId account, long version) {
    if (version > newest.getOrDefault(account, -1L)) {
      newest.put(account, version);
      known.remove(account);
    }
  }

  /// Whatever is known of these may be wrong.
  void doubt(Collection<AccountId> accounts) {
    known.removeAll(accounts);
    round++;
  }

  /// Whatever is known may be wrong. Versions begin anew: those of a database that was restored are
  /// lower.
  void doubtAll() {
    known.clear();
    newest.clear();
    round++;
  }

  /// Those of whom the server is to be asked.
  List<AccountId> unknown(Collection<AccountId> accounts) {
    return accounts.stream().filter(account -> !known.contains(account)).distinct().toList();
  }

  /// To be given with the answer of what is asked now.
  int round() {
    return round;
  }

  /// The server answered with this version.
  ///
  /// @param asked what [#round] was then
  void learned(AccountId account, long version, int asked) {
    if (asked == round && newest.merge(account, version, Math::max) == version) {
      known.add(account);
    }
  }

  /// The server told nothing of an account that was asked for.
  void absent(AccountId account, int asked) {
    if (asked == round) {
      known.add(account);
    }
  }
}
