package io.confab.cli;

import io.confab.client.ConfabApi;
import io.confab.client.Credentials;
import io.vertx.core.Vertx;
import java.io.IOException;

/// An account that is signed in, and the connections to its servers; closed with the command.
///
/// @param held is let go at the end
record SignedIn(Vertx vertx, ConfabApi api, Credentials credentials, Held held)
    implements AutoCloseable {
  /// What else was taken for it.
  interface Held {
    void close() throws IOException;
  }

  @Override
  public void close() throws IOException {
    api.close();
    vertx.close().await();
    held.close();
  }
}
