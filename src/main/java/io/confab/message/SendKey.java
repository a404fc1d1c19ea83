package io.confab.message;

import io.confab.config.Sha256;
import io.confab.protocol.ClientId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What makes a retry recognisable, in few bytes: a digest of the client's id and one of what
/// was said, as the table `send_key` holds them. Stored for ever, so it may not change.
record SendKey(UUID clientKey, long contentHash) {
  private static final String EDIT = "edit of a message";

  static SendKey of(Draft draft) {
    MessageDigest sha = Sha256.start();
    UUID clientKey = clientKey(sha, draft.clientId());
    update(sha, draft.roomId().value());
    update(sha, draft.type().wire());
    update(sha, draft.body());
    update(sha, draft.replyTo() == null ? null : draft.replyTo().toString());
    update(sha, draft.topic());
    return new SendKey(clientKey, ByteBuffer.wrap(sha.digest()).getLong());
  }

  /// The content of an edit begins with a word and that of a send with its room: no edit looks like
  /// a send.
  static SendKey of(MessageChange.Edit edit) {
    MessageDigest sha = Sha256.start();
    UUID clientKey = clientKey(sha, edit.clientId());
    update(sha, EDIT);
    update(sha, edit.roomId().value());
    update(sha, edit.seq().value());
    update(sha, edit.body());
    return new SendKey(clientKey, ByteBuffer.wrap(sha.digest()).getLong());
  }

  private static UUID clientKey(MessageDigest sha, ClientId clientId) {
    ByteBuffer id = ByteBuffer.wrap(sha.digest(clientId.value().getBytes(StandardCharsets.UTF_8)));
    return new UUID(id.getLong(), id.getLong());
  }

  private static void update(MessageDigest sha, long number) {
    sha.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number));
  }

  /// Each field goes in with its length, absent ones with -1, so that no two contents look
  /// alike.
  private static void update(MessageDigest sha, @Nullable String field) {
    byte[] bytes = field == null ? new byte[0] : field.getBytes(StandardCharsets.UTF_8);
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, field == null ? -1 : bytes.length));
    sha.update(bytes);
  }
}
