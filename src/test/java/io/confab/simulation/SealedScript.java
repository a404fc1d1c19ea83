package io.confab.simulation;

import static io.confab.simulation.Scheduler.MILLI;

import io.confab.protocol.RoomId;
import java.util.function.LongSupplier;

/// What people do in the sealed rooms of a history, decided by dice of its own.
final class SealedScript {
  private final SimWorld world;
  private final Scheduler scheduler;
  private final Dice dice;
  private final LongSupplier within;

  /// @param within for how long a session may outlive its sign-in
  SealedScript(SimWorld world, LongSupplier within) {
    this.world = world;
    this.scheduler = world.scheduler();
    this.dice = new Dice(~world.seed() ^ 0x51ed270b);
    this.within = within;
  }

  void plan(long end) {
    for (int i = dice.between(6, 25); i > 0; i--) {
      sometime(end, this::somebodySends);
    }
    for (int i = dice.between(0, 4); i > 0; i--) {
      sometime(end, this::somebodyWritesALetter);
    }
    for (int i = dice.between(0, 3); i > 0; i--) {
      sometime(end, this::somebodySleeps);
    }
    for (int i = dice.between(0, 3) - 1; i > 0; i--) {
      sometime(end, this::aDeviceIsRemoved);
    }
  }

  private void sometime(long end, Runnable what) {
    scheduler.at(dice.millis(200, end / (double) MILLI), what);
  }

  private SimClient anyone() {
    return dice.one(world.clients());
  }

  private RoomId anyRoom() {
    return dice.one(world.sealedRooms()).id;
  }

  private void somebodySends() {
    anyone().sealing().send(anyRoom(), dice.chance(0.1) ? dice.between(5, 30) : dice.between(1, 4));
  }

  private void somebodyWritesALetter() {
    anyone().sealing().sendLoose(anyRoom());
  }

  /// Its device acknowledges nothing.
  private void somebodySleeps() {
    anyone().queue().sleep(dice.millis(1_000, 6_000));
  }

  private void aDeviceIsRemoved() {
    SimClient somebody = anyone();
    SimNode node = world.node(dice.between(0, world.nodes() - 1));
    node.after(0, () -> node.remove(somebody, within.getAsLong()));
  }
}
