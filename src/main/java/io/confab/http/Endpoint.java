package io.confab.http;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// What answers a call of one route; it may throw what it may fail with.
interface Endpoint {
  Future<Answer> answer(Call call);

  /// An endpoint for everybody: it reads the call, and answers with what does the work. What it
  /// cannot read does not count against the limit of its route.
  interface Open {
    Supplier<Future<Answer>> read(Call call);
  }

  /// An endpoint that must know for whom the call is.
  interface SignedIn {
    Future<Answer> answer(AccountId caller, Call call);
  }

  /// An endpoint that must know from which device the call comes.
  interface OnDevice {
    Future<Answer> answer(Caller caller, Call call);
  }
}
