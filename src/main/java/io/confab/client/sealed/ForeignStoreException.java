package io.confab.client.sealed;

/// A store has the keys of another device than the one that is to use it.
public final class ForeignStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ForeignStoreException(String message) {
    super(message);
  }
}
