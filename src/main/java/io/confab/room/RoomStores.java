package io.confab.room;

import io.confab.postgres.Database;
import io.confab.protocol.Epoch;
import java.util.function.Supplier;

/// The stores that a change of a room goes through together.
public record RoomStores(RoomStore rooms, MemberStore members, RoomChangeStore changes) {
  public static RoomStores of(Database database, Supplier<Epoch> epoch) {
    return new RoomStores(
        new RoomStore(database, epoch), new MemberStore(database), new RoomChangeStore());
  }
}
