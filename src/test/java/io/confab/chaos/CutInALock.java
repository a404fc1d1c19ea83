package io.confab.chaos;

import io.confab.chaos.RoomGate.Waiting;

/// Cuts all connections of a node to PostgreSQL while the call of one of its writers waits for the
/// lock of a room: it may still commit. For one thread.
final class CutInALock {
  private static final int TRIES = 20;
  private static final long WAITED_FOR_MS = 1_500;
  private static final long PAUSE_MS = 10;

  private final RunContext world;
  private final Servers servers;
  private final Machine machine;

  CutInALock(RunContext world, Servers servers, Machine machine) {
    this.world = world;
    this.servers = servers;
    this.machine = machine;
  }

  /// Locks a room, cuts, and unlocks.
  void run() {
    try (RoomGate gate = new RoomGate(servers)) {
      for (int i = 0; i < TRIES; i++) {
        gate.lockNewest();
        if (sendWaits(gate)) {
          machine.postgres().reset();
          return;
        }
        gate.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean sendWaits(RoomGate gate) throws InterruptedException {
    long end = world.millis() + WAITED_FOR_MS;
    boolean waits = false;
    while (!waits && world.millis() < end) {
      Thread.sleep(PAUSE_MS);
      waits = gate.waits(machine.postgres().serverSide(), Waiting::isSend);
    }
    return waits;
  }
}
