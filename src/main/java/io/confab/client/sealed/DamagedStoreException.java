package io.confab.client.sealed;

import java.io.IOException;

/// The file of a store is not as it was written.
public final class DamagedStoreException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedStoreException(String message) {
    super(message);
  }
}
