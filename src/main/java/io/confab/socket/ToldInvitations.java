package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame;
import io.confab.protocol.ServerFrame.InvitationEnded;
import io.confab.protocol.ServerFrame.Invited;
import io.confab.room.RoomCommand.FindInvitation;
import io.confab.room.RoomCommand.FoundInvitation;
import io.confab.room.RoomCommand.Invitation;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What one session has told its client of the invitations of the account, so that each change is
/// told once, however often the session is made to look. Belongs to the loop of the session.
final class ToldInvitations {
  /// Rooms that are remembered. What is told of more than these may be told again.
  private static final int MOST = 1_000;

  private final Requests bus;
  private final Consumer<ServerFrame> client;

  /// When the account was asked to join the room, empty: the invitation is over.
  private final Map<RoomId, Optional<Long>> told = new LazyMap<>();

  ToldInvitations(Requests bus, Consumer<ServerFrame> client) {
    this.bus = bus;
    this.client = client;
  }

  /// Reads whether the account is invited to the room, and tells that if it is news. A failure is
  /// ignored: a change of an invitation and `InvitationWatch` make sessions look again.
  void look(AccountId account, RoomId room) {
    bus.request(new FindInvitation(account, room))
        .map(FoundInvitation::invitation)
        .onSuccess(found -> tell(room, found));
  }

  private void tell(RoomId room, @Nullable Invitation found) {
    Optional<Long> now = Optional.ofNullable(found).map(Invitation::ts);
    if (now.equals(told.put(room, now))) {
      return;
    }
    if (told.size() > MOST) {
      told.remove(told.entrySet().iterator().next().getKey());
    }
    client.accept(
        found == null
            ? new InvitationEnded(room)
            : new Invited(room, found.name(), found.invitedBy()));
  }
}
