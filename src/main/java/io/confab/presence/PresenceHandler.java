package io.confab.presence;

import io.confab.bus.BusMessage;
import io.confab.bus.Done;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// Carries out presence commands.
public final class PresenceHandler {
  private final RedisConnectionRegistry registry;
  private final SessionEntries entries;
  private final PresentPeople people;

  public PresenceHandler(Vertx vertx, RedisConnectionRegistry registry, PresentPeople people) {
    this.registry = registry;
    this.entries =
        new SessionEntries(
            registry::register,
            registry::unregister,
            action -> vertx.getOrCreateContext().runOnContext(_ -> action.run()));
    this.people = people;
  }

  /// Writes what is known and not written yet. Done when that was tried.
  public Future<Void> close() {
    return people.close();
  }

  public Future<? extends BusMessage> handle(PresenceCommand<?> command) {
    return switch (command) {
      case PresenceCommand.Register(var connections) -> entries.enter(connections);
      case PresenceCommand.Unregister(var connection) -> entries.remove(connection).map(Done.DONE);
      case PresenceCommand.FindConnections(var account) -> registry.find(account);
      case PresenceCommand.Say say -> people.say(say);
      case PresenceCommand.FindPresence(var accounts) -> people.find(accounts);
      case PresenceCommand.Look(var viewers, var accounts) -> people.look(viewers, accounts);
      case PresenceCommand.ReadPresence(var viewer, var accounts) -> people.read(viewer, accounts);
      case PresenceCommand.SetPresence set -> people.set(set);
      case PresenceCommand.FindRooms(var viewer, var rooms) -> people.rooms(viewer, rooms);
      case PresenceCommand.FindMemberships(var viewers, var rooms) ->
          people.memberships(viewers, rooms);
      case PresenceCommand.CountOnline(var room) -> people.count(room);
    };
  }
}
