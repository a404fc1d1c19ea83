package io.confab.message;

import io.confab.config.FieldHash;
import io.confab.protocol.ClientId;
import java.util.UUID;

/// What makes a retry recognisable, in few bytes: a digest of the client's id and one of what
/// was said, as the table `send_key` holds them. Stored for ever, so it may not change.
record SendKey(UUID clientKey, long contentHash) {
  private static final String EDIT = "edit of a message";

  static SendKey of(Draft draft) {
    return of(
        draft.clientId(),
        new FieldHash()
            .add(draft.roomId().value())
            .add(draft.type().wire())
            .add(draft.body())
            .add(draft.replyTo() == null ? null : draft.replyTo().toString())
            .add(draft.topic()));
  }

  /// The content of an edit begins with a word and that of a send with its room: no edit looks like
  /// a send.
  static SendKey of(MessageChange.Edit edit) {
    return of(
        edit.clientId(),
        new FieldHash()
            .add(EDIT)
            .add(edit.roomId().value())
            .add(edit.seq().value())
            .add(edit.body()));
  }

  private static SendKey of(ClientId clientId, FieldHash content) {
    return new SendKey(clientId.key(), content.firstBytes());
  }
}
