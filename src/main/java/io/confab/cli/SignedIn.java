package io.confab.cli;

import io.confab.client.ConfabApi;
import io.confab.client.Credentials;
import io.vertx.core.Vertx;

/// An account that is signed in, and the connections to its servers; closed with the command.
record SignedIn(Vertx vertx, ConfabApi api, Credentials credentials) implements AutoCloseable {
  @Override
  public void close() {
    api.close();
    vertx.close().await();
  }
}
