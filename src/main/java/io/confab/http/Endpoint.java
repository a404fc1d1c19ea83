package io.confab.http;

import io.confab.protocol.Caller;
import io.vertx.core.Future;

/// What answers a call of one route; it may throw what it may fail with.
interface Endpoint {
  Future<Answer> answer(Call call);

  /// An endpoint that must know who calls.
  interface SignedIn {
    Future<Answer> answer(Caller caller, Call call);
  }
}
