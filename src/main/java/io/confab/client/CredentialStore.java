package io.confab.client;

import io.vertx.core.Future;
import java.util.Optional;

/// Where a program keeps its sign-in. Each refresh saves a new one before it is used, so that a
/// program that stops in between can go on with what it finds.
public interface CredentialStore {
  /// What was saved last; empty when nobody is signed in. A [ConfabClient] asks again a while
  /// after a failure.
  Future<Optional<Credentials>> load();

  Future<Void> save(Credentials credentials);

  /// Forgets the sign-in.
  Future<Void> clear();

  /// Keeps it for as long as the program runs.
  static CredentialStore memory() {
    return new MemoryCredentials();
  }
}
