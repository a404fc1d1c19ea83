package io.confab.cli;

import io.confab.client.ConfabApi;
import io.confab.client.Credentials;
import io.confab.terminal.SealedFolder;
import io.confab.terminal.SealedStart;
import io.confab.terminal.Self;
import io.vertx.core.Vertx;
import java.io.IOException;

/// An account that is signed in, and the connections to its servers; closed with the command.
///
/// @param sealed what it keeps for sealed rooms
/// @param held is let go at the end
record SignedIn(Vertx vertx, ConfabApi api, Credentials credentials, SealedFolder sealed, Held held)
    implements AutoCloseable {
  /// What else was taken for it.
  interface Held {
    void close() throws IOException;
  }

  /// Who chats in a window that no other one shares the device with.
  Self self() {
    return new Self(api, credentials.accountId(), SealedStart.open(vertx, sealed, credentials));
  }

  @Override
  public void close() throws IOException {
    api.close();
    vertx.close().await();
    held.close();
  }
}
