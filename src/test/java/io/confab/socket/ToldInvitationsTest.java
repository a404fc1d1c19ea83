package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.bus.Command;
import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.InvitationEnded;
import io.confab.protocol.ServerFrame.Invited;
import io.confab.room.RoomCommand.FoundInvitation;
import io.confab.room.RoomCommand.Invitation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ToldInvitationsTest {
  private static final AccountId BOB = new AccountId(2);
  private static final AccountId ANN = new AccountId(1);
  private static final RoomId ROOM = new RoomId(7);

  private final List<ServerFrame> sent = new ArrayList<>();
  private @Nullable Invitation stored;
  private final ToldInvitations told =
      new ToldInvitations(
          new Requests() {
            @Override
            @SuppressWarnings("unchecked") // the only question that is asked
            public <R extends BusMessage> Future<R> request(Command<R> command) {
              return Future.succeededFuture((R) new FoundInvitation(stored));
            }
          },
          sent::add);

  private static Invitation at(long ts) {
    return new Invitation(ROOM, "Tea", 3, ANN, ts);
  }

  @Test
  void eachChangeIsToldOnceHoweverOftenItIsLookedAt() {
    for (Invitation now : new @Nullable Invitation[] {at(1), at(1), null, null, at(2), at(2)}) {
      stored = now;
      told.look(BOB, ROOM);
    }
    assertThat(sent)
        .containsExactly(
            new Invited(ROOM, "Tea", ANN),
            new InvitationEnded(ROOM),
            new Invited(ROOM, "Tea", ANN));
  }

  @Test
  void anEndIsToldToAClientThatWasNotToldOfTheBeginning() {
    told.look(BOB, ROOM);
    assertThat(sent).containsExactly(new InvitationEnded(ROOM));
  }
}
