package io.confab.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What makes a retry recognisable, in few bytes: a digest of the client's id and one of what was
/// said, as the table `send_key` holds them. Stored for ever, so it may not change.
record SendKey(UUID clientKey, long contentHash) {

  static SendKey of(Draft draft) {
    MessageDigest sha = sha256();
    ByteBuffer id =
        ByteBuffer.wrap(sha.digest(draft.clientId().value().getBytes(StandardCharsets.UTF_8)));
    UUID clientKey = new UUID(id.getLong(), id.getLong());
    sha.update(ByteBuffer.allocate(Long.BYTES).putLong(0, draft.roomId().value()));
    update(sha, draft.type().wire());
    update(sha, draft.body());
    update(sha, draft.replyTo() == null ? null : draft.replyTo().toString());
    update(sha, draft.topic());
    return new SendKey(clientKey, ByteBuffer.wrap(sha.digest()).getLong());
  }

  /// Each field goes in with its length, absent ones with -1, so that no two contents look alike.
  private static void update(MessageDigest sha, @Nullable String field) {
    byte[] bytes = field == null ? new byte[0] : field.getBytes(StandardCharsets.UTF_8);
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, field == null ? -1 : bytes.length));
    sha.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
