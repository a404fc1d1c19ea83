package io.confab.client.sealedroom;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.ListedDevice;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/// Whose keys are believed, and what the person says of that; made by [SealedRooms#people]. As its
/// calls, these may come from any thread.
public final class SealedPeople {
  private final SealedLoop loop;
  private final DeviceThread device;
  private final Roster roster;
  private final Comparing comparing;
  private final Tellings tellings;

  SealedPeople(
      SealedLoop loop, DeviceThread device, Roster roster, Comparing comparing, Tellings tellings) {
    this.loop = loop;
    this.device = device;
    this.roster = roster;
    this.comparing = comparing;
    this.tellings = tellings;
  }

  public Future<Trust> trust(AccountId account) {
    return device.ask(own -> own.trust(account));
  }

  /// The person accepts the other identity of somebody; what waited for that is shown.
  public Future<Void> accept(AccountId account) {
    return tellings.accept(account);
  }

  /// The devices of somebody as the server lists them now.
  public Future<List<ListedDevice>> devices(AccountId account) {
    return loop.ask(
        () -> {
          roster.doubt(List.of(account));
          return roster
              .learn(List.of(account))
              .compose(_ -> device.ask(own -> own.devices(account)));
        });
  }

  /// Begins to compare emoji with the newest device of somebody; the listener is told each step.
  public Future<Comparison> verify(AccountId account) {
    return loop.ask(() -> comparing.begin(account));
  }

  /// The person says whether both see the same emoji; empty: there is nothing to compare.
  ///
  /// @param id of the comparison with this device
  public Future<Optional<Comparison>> matches(RoomDevice with, String id, boolean same) {
    return loop.ask(() -> comparing.matches(with, id, same));
  }

  /// The person does not go on; empty: there is nothing to compare.
  public Future<Optional<Comparison>> cancel(RoomDevice with, String id) {
    return loop.ask(() -> comparing.cancel(with, id));
  }
}
