package io.confab.client;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Mention;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message as a member sees it now.
///
/// @param changedRev the rev of its last edit or deletion
/// @param body absent in a tombstone
/// @param mentions whom it mentions; absent if nobody
/// @param ts when it was stored, in milliseconds since 1970 by PostgreSQL's clock; so the others
public record ChatMessage(
    RoomId roomId,
    Seq seq,
    Rev rev,
    @Nullable Rev changedRev,
    AccountId senderId,
    ClientId clientId,
    String msgType,
    @Nullable String body,
    @Nullable Seq replyTo,
    @Nullable String topic,
    @Nullable List<Mention> mentions,
    long ts,
    @Nullable Long editedAt,
    @Nullable Long deletedAt,
    @Nullable AccountId deletedBy) {

  /// Whether the message was deleted; its body is gone for good.
  @JsonIgnore
  public boolean isDeleted() {
    return deletedAt != null;
  }

  /// The rev of the last change of the message, or of the message itself.
  public Rev stateRev() {
    return changedRev == null ? rev : changedRev;
  }
}
