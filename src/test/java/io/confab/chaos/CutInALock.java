package io.confab.chaos;

import io.confab.chaos.RoomGate.Waiting;
import io.confab.testing.proxy.TcpProxy;
import java.util.Set;

/// Cuts all connections of a node to PostgreSQL while the call of one of its writers waits for the
/// lock of a room. That call may still commit, so the writer must end it before it looks up what
/// became of it. For one thread.
final class CutInALock {
  private static final int TRIES = 20;
  private static final long WAITED_FOR_MS = 1_500;
  private static final long WATCHED_MS = 2_000;
  private static final long PAUSE_MS = 10;
  private static final String LOOK_UP = "room_position p WHERE p.room_id = ANY";

  private final RunContext world;
  private final Servers servers;
  private final Machine machine;

  CutInALock(RunContext world, Servers servers, Machine machine) {
    this.world = world;
    this.servers = servers;
    this.machine = machine;
  }

  /// Locks a room, cuts, watches, and unlocks.
  void run() {
    try (RoomGate gate = new RoomGate(servers)) {
      for (int i = 0; i < TRIES; i++) {
        gate.lockNewest();
        if (sendWaits(gate)) {
          cut(gate);
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

  private void cut(RoomGate gate) throws InterruptedException {
    TcpProxy way = machine.postgres();
    Set<Integer> former = way.serverSide();
    way.reset();
    long end = world.millis() + WATCHED_MS;
    while (world.millis() < end) {
      Set<Integer> open = way.serverSide();
      open.removeAll(former);
      if (gate.waits(open, call -> call.query().contains(LOOK_UP))
          && gate.waits(former, Waiting::isSend)) {
        world.anomalies().add(machine.name() + " looks up what a former backend still does");
        return;
      }
      Thread.sleep(PAUSE_MS);
    }
  }
}
