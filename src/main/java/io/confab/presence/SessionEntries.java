package io.confab.presence;

import io.confab.presence.PresenceCommand.Connection;
import io.confab.presence.PresenceCommand.Newest;
import io.confab.presence.PresenceCommand.Registered;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Enters sessions in the registry and removes them, all who come or go in one turn of an event
/// loop together: so a crowd costs few commands, and nobody waits for others to be answered. For
/// any thread.
final class SessionEntries {
  private final Function<Collection<Connection>, Map<AccountId, Future<List<Newest>>>> register;
  private final Function<Collection<Connection>, Future<Void>> unregister;
  private final Consumer<Runnable> later;
  private List<Request> waiting = new ArrayList<>();

  private record Request(List<Connection> sessions, boolean come, Promise<Registered> answer) {}

  /// @param register enters sessions; answers what became of those of each account
  /// @param unregister removes those that still have their devices
  /// @param later runs something when what waits already has run
  SessionEntries(
      Function<Collection<Connection>, Map<AccountId, Future<List<Newest>>>> register,
      Function<Collection<Connection>, Future<Void>> unregister,
      Consumer<Runnable> later) {
    this.register = register;
    this.unregister = unregister;
    this.later = later;
  }

  /// Answers what became of the devices of these accounts.
  Future<Registered> enter(List<Connection> sessions) {
    return add(new Request(sessions, true, Promise.promise()));
  }

  Future<Void> remove(Connection session) {
    return add(new Request(List.of(session), false, Promise.promise())).mapEmpty();
  }

  private Future<Registered> add(Request request) {
    boolean first;
    synchronized (this) {
      first = waiting.isEmpty();
      waiting.add(request);
    }
    if (first) {
      later.accept(this::send);
    }
    return request.answer().future();
  }

  private synchronized List<Request> take() {
    List<Request> all = waiting;
    waiting = new ArrayList<>();
    return all;
  }

  /// Who goes leaves its device to who comes. Who came and went meanwhile is not entered.
  private void send() {
    List<Request> all = take();
    Set<Connection> going = sessions(all, false);
    Set<Connection> coming = sessions(all, true);
    coming.removeAll(going);
    Future<Void> removed = going.isEmpty() ? Future.succeededFuture() : unregister.apply(going);
    Map<AccountId, Future<List<Newest>>> entered =
        coming.isEmpty() ? Map.of() : register.apply(coming);
    for (Request each : all) {
      Future<Registered> done =
          each.come() ? answer(each, entered) : removed.map(new Registered(List.of()));
      done.onComplete(each.answer());
    }
  }

  private static Set<Connection> sessions(List<Request> all, boolean come) {
    return all.stream()
        .filter(request -> request.come() == come)
        .flatMap(request -> request.sessions().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Future<Registered> answer(
      Request request, Map<AccountId, Future<List<Newest>>> entered) {
    Set<AccountId> accounts =
        request.sessions().stream().map(Connection::account).collect(Collectors.toSet());
    List<Future<List<Newest>>> answers =
        accounts.stream().map(entered::get).filter(Objects::nonNull).distinct().toList();
    return Future.all(answers)
        .map(
            _ ->
                new Registered(
                    answers.stream()
                        .flatMap(answer -> answer.result().stream())
                        .filter(newest -> accounts.contains(newest.account()))
                        .toList()));
  }
}
