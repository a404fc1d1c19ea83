package io.confab.client;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// A sign-in that ends with the program.
final class MemoryCredentials implements CredentialStore {
  private final AtomicReference<Optional<Credentials>> kept =
      new AtomicReference<>(Optional.empty());

  @Override
  public Future<Optional<Credentials>> load() {
    return Future.succeededFuture(kept.get());
  }

  @Override
  public Future<Void> save(Credentials credentials) {
    kept.set(Optional.of(credentials));
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> clear() {
    kept.set(Optional.empty());
    return Future.succeededFuture();
  }
}
