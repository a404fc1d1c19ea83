package io.confab.terminal;

import io.confab.client.ChatRoom;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.io.IOException;
import java.util.Optional;

/// The conversation that typed commands act on. Each call may wait for the server; refusals are
/// `ApiException`s, or told later.
interface Talk {
  /// The room that is open.
  RoomId room();

  /// Opens a room in place of it.
  void enter(ChatRoom room) throws IOException;

  /// The room is sealed from now on.
  void sealed(RoomSeal seal);

  /// Takes a seat in the room, or a place in the line.
  void takeSeat() throws IOException, InterruptedException;

  /// Gives up the seat, or the place.
  void giveUpSeat();

  void say(String text) throws IOException, InterruptedException;

  void reply(Seq to, String text) throws IOException, InterruptedException;

  void edit(Seq seq, String text) throws IOException, InterruptedException;

  void delete(Seq seq) throws IOException, InterruptedException;

  /// Everything in the room is read.
  void read();

  /// The message, the newest where none is named, and what follows is to be seen as unread.
  ///
  /// @return the message
  Seq unread(Optional<Seq> from);

  /// Shows older messages.
  void older(int count);

  /// Asks for the former password and a new one, and changes it.
  void changePassword() throws IOException;

  /// Asks for the password, and removes the account.
  void removeAccount() throws IOException;

  void quit();
}
