package io.confab.account;

import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;

/// Who is in rooms together with an account: as many as are told of something at once.
public interface Acquaintances {
  /// Those who are to hear of its name.
  Future<List<AccountId>> inRooms(AccountId account);

  /// Those whose devices encrypt for its devices.
  Future<List<AccountId>> inSealedRooms(AccountId account);
}
