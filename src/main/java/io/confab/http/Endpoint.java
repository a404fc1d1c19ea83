package io.confab.http;

import io.confab.account.AccountCommand.Authenticated;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// Answers the calls of one route; it may throw any failure that its future may have.
interface Endpoint {
  Future<Answer> answer(Call call);

  /// An endpoint for everybody: it reads the call and returns the work. A call that it cannot read
  /// does not count against the limit of its route.
  interface Open {
    Supplier<Future<Answer>> read(Call call);
  }

  /// An endpoint that must know the account of the caller.
  interface SignedIn {
    Future<Answer> answer(AccountId caller, Call call);
  }

  /// An endpoint that must know the device of the caller.
  interface OnDevice {
    Future<Answer> answer(Caller caller, Call call);
  }

  /// An endpoint that must know the sign-in by which the device calls.
  interface BySignIn {
    Future<Answer> answer(Authenticated signIn, Call call);
  }
}
