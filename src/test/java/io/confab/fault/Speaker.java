package io.confab.fault;

import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A client that goes on sending, ten messages at a time, until told to stop; each one again and
/// again, on a new connection if need be, until it is acknowledged.
final class Speaker {
  private static final int AT_ONCE = 10;
  private static final int MOST_ROUNDS = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Vertx vertx;
  private final Person person;
  private final IntSupplier ports;
  private final AcknowledgedSends ledger;
  private final String name;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private volatile boolean stopping;
  private @Nullable ChatClient client;

  private Speaker(
      Vertx vertx, Person person, IntSupplier ports, AcknowledgedSends ledger, String name) {
    this.vertx = vertx;
    this.person = person;
    this.ports = ports;
    this.ledger = ledger;
    this.name = name;
  }

  /// On a device of its own, because a device has one socket.
  ///
  /// @param ports where to connect to next
  /// @param name stands before each client id, and tells speakers in one room apart
  static Speaker start(
      Vertx vertx, Person person, IntSupplier ports, AcknowledgedSends ledger, String name) {
    Person own = person.onAnotherDevice(ports.getAsInt());
    Speaker speaker = new Speaker(vertx, own, ports, ledger, name);
    Thread.ofVirtual().name(name).start(speaker::run);
    return speaker;
  }

  private void run() {
    try {
      for (int round = 0; round < MOST_ROUNDS && !stopping; round++) {
        List<String> open = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          open.add(name + "-" + ledger.room() + "-" + round + "-" + i);
        }
        await().pollInterval(Duration.ofMillis(20)).until(() -> sendAll(open));
      }
      done.complete(null);
    } catch (Throwable failure) {
      done.completeExceptionally(failure);
    }
  }

  /// Keeps in `open` what was not acknowledged; whether that is nothing.
  private boolean sendAll(List<String> open) {
    ChatClient current = client;
    if (current == null) {
      current = connect();
      client = current;
    }
    if (current == null) {
      return false;
    }
    Map<String, CompletableFuture<JsonObject>> answers = new LinkedHashMap<>();
    for (String id : open) {
      answers.put(id, current.send(ledger.room(), id, AcknowledgedSends.body(id)));
    }
    for (var answer : answers.entrySet()) {
      if (isAcknowledged(answer.getValue())) {
        open.remove(answer.getKey());
      }
    }
    return open.isEmpty();
  }

  private boolean isAcknowledged(CompletableFuture<JsonObject> answer) {
    try {
      return ledger.answered(answer.get(60, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException lost) {
      client = null;
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private @Nullable ChatClient connect() {
    try {
      return ChatClient.live(vertx, ports.getAsInt(), person.token());
    } catch (AssertionError | RuntimeException notYet) {
      return null;
    }
  }

  /// Ends once everything begun is acknowledged.
  void stop() {
    stopping = true;
    try {
      done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(name + " could not finish", e);
    }
    if (client != null) {
      client.cut();
    }
  }
}
