package io.confab.http;

import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// A caller, and the right by which they call.
///
/// @param who as the route must know them
/// @param stands fails once the right has ended; a token that has expired meanwhile ends none
record Admitted<C>(C who, AccountId account, Supplier<Future<?>> stands) {}
