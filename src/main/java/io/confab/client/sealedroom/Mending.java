package io.confab.client.sealedroom;

import io.confab.client.QueueEvent;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.AccountId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// Begins sessions anew with those of whom something could not be opened, and tells them, without
/// waiting until the person says something: who only reads would be told no key before that. One
/// round at a time; what fails is done at the next occasion, such as the next line.
final class Mending {
  private final Roster roster;
  private final Claims claims;
  private final DeviceThread device;
  private final BooleanSupplier takesPart;
  private final Set<AccountId> due = new HashSet<>();
  private boolean busy;

  /// @param takesPart whether others give this device keys: one that is not signed would ask for
  ///     what
  /// it is never told, and a server hands out few keys a day
  Mending(Roster roster, Claims claims, DeviceThread device, BooleanSupplier takesPart) {
    this.roster = roster;
    this.claims = claims;
    this.device = device;
    this.takesPart = takesPart;
  }

  /// A page of the queue was opened.
  void opened(List<Opened> page) {
    if (!takesPart.getAsBoolean()) {
      return;
    }
    for (Opened one : page) {
      if (one instanceof Opened.Dropped dropped && dropped.isToBeRejected()) {
        due.add(dropped.senderId());
      }
    }
    next();
  }

  /// Once all has come that waited, those are told who are owed word, as after numbers were lost.
  void queued(QueueEvent event) {
    if (event instanceof QueueEvent.Drained && takesPart.getAsBoolean()) {
      device
          .ask(own -> own.toTell().stream().map(RoomDevice::accountId).collect(Collectors.toSet()))
          .onSuccess(
              owed -> {
                due.addAll(owed);
                next();
              });
    }
  }

  private void next() {
    if (busy || due.isEmpty()) {
      return;
    }
    List<AccountId> accounts = List.copyOf(due);
    due.clear();
    busy = true;
    roster
        .learn(accounts)
        .compose(_ -> claims.ready(accounts))
        .onComplete(
            _ -> {
              busy = false;
              next();
            });
  }
}
