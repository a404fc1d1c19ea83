package io.confab.client;

import io.confab.protocol.Secret;
import io.vertx.core.Future;
import java.util.function.Function;

/// In whose name calls are made.
interface Authenticator {

  /// Makes a call; once more where the name was taken no longer and there is a newer one.
  ///
  /// @param call takes the value of the header `authorization`
  <T> Future<T> call(Function<Secret, Future<T>> call);

  /// A backend with an API key of the server.
  static Authenticator byKey(Secret key) {
    return new Authenticator() {
      @Override
      public <T> Future<T> call(Function<Secret, Future<T>> call) {
        return call.apply(new Secret("Key " + key.value()));
      }
    };
  }
}
