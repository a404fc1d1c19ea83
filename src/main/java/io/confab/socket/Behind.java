package io.confab.socket;

import io.vertx.core.Future;

/// A stream that reads what it is behind, a page at a time.
interface Behind {
  /// Sends the next page of what is missing, as much of it as the socket takes; answers whether
  /// nothing is to be read now.
  Future<Boolean> catchUp();
}
