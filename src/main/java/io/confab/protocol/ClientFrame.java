package io.confab.protocol;

import io.confab.config.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a client asks on its socket.
public sealed interface ClientFrame {

  /// Always first. Exactly one of ticket and token, or none where the upgrade carried a token.
  record Hello(@Nullable Secret ticket, @Nullable Secret token, @Nullable DeviceInfo device)
      implements ClientFrame {}

  record Resume(List<RoomPoint> rooms, boolean last) implements ClientFrame {}

  /// Where a client stands in a room. The room is the client's text: it may not exist.
  record RoomPoint(String roomId, Epoch epoch, Rev rev) {}

  record MessageSend(String roomId, SendFields send, @Nullable String localId)
      implements ClientFrame {}

  record MessageEdit(String roomId, Seq seq, ClientId clientId, String body)
      implements ClientFrame {}

  record MessageDelete(String roomId, Seq seq) implements ClientFrame {}

  /// Renews the authorisation of the socket.
  record Token(Secret token) implements ClientFrame {}

  record Ping() implements ClientFrame {}

  record Bye() implements ClientFrame {}
}
