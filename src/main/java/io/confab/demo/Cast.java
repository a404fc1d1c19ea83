package io.confab.demo;

import io.confab.client.ApiException;
import io.confab.client.ConfabApi;
import io.confab.client.CredentialStore;
import io.confab.protocol.DeviceId;
import io.confab.protocol.DeviceInfo;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.Secret;
import io.confab.screen.Progress;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Accounts that are made for an occasion, all with one password, signed in until this is closed.
final class Cast implements AutoCloseable {
  /// How many sign in at the same time: hashing a password is heavy, and a server does few at once.
  private static final int AT_ONCE = 4;

  private final Map<String, ConfabApi> byHandle;

  private Cast(Map<String, ConfabApi> byHandle) {
    this.byHandle = byHandle;
  }

  /// One of the people.
  record Person(String handle, String displayName) {}

  /// The servers, and how the people sign in there.
  ///
  /// @param device the name of the device that each of them signs in on
  record Entrance(Vertx vertx, List<URI> servers, Secret password, String device) {}

  /// Signs everybody in, and up before where there is no such account. Blocks.
  ///
  /// @throws IOException when a handle belongs to somebody with another password
  static Cast enter(Entrance entrance, List<Person> people, Progress progress)
      throws IOException, InterruptedException {
    Map<String, ConfabApi> all = new LinkedHashMap<>();
    Cast cast = new Cast(all);
    try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      Map<Person, Future<ConfabApi>> entering = new LinkedHashMap<>();
      people.forEach(person -> entering.put(person, threads.submit(() -> enter(entrance, person))));
      for (Map.Entry<Person, Future<ConfabApi>> each : entering.entrySet()) {
        all.put(each.getKey().handle(), each.getValue().get());
        progress.step();
      }
      return cast;
    } catch (ExecutionException failure) {
      cast.close();
      throw failure.getCause() instanceof IOException known
          ? known
          : new IOException(String.valueOf(failure.getCause()), failure.getCause());
    }
  }

  private static ConfabApi enter(Entrance entrance, Person person) throws IOException {
    ConfabApi api = new ConfabApi(entrance.vertx(), entrance.servers(), CredentialStore.memory());
    try {
      if (!signIn(api, entrance, person)) {
        signUp(api, entrance, person);
      }
      return api;
    } catch (IOException | RuntimeException failure) {
      api.close();
      throw failure;
    }
  }

  /// Whether there is somebody with this handle and password.
  private static boolean signIn(ConfabApi api, Entrance entrance, Person person) {
    DeviceInfo device =
        new DeviceInfo(new DeviceId(entrance.device()), entrance.device(), "terminal");
    try {
      api.signIn(person.handle(), entrance.password(), device).await();
      return true;
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.UNAUTHORIZED)) {
        return false;
      }
      throw refusal;
    }
  }

  private static void signUp(ConfabApi api, Entrance entrance, Person person) throws IOException {
    try {
      api.signUp(person.handle(), entrance.password(), person.displayName()).await();
    } catch (ApiException refusal) {
      if (refusal.is(ErrorCode.CONFLICT)) {
        throw new IOException(
            "The handle " + person.handle() + " belongs to somebody with another password.");
      }
      throw refusal;
    }
    signIn(api, entrance, person);
  }

  /// The API of one of the people.
  ConfabApi as(String handle) {
    return Optional.ofNullable(byHandle.get(handle)).orElseThrow();
  }

  /// Signs everybody out.
  @Override
  public void close() {
    for (ConfabApi api : byHandle.values()) {
      try {
        api.signOut().await();
      } catch (ApiException _) {
        // the sign-in runs out by itself
      }
      api.close();
    }
  }
}
