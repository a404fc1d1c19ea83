package io.confab.client;

import io.confab.protocol.AccountId;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import org.jspecify.annotations.Nullable;

/// Something new in a room. The updates of a room come in the order of their revs, each once;
/// nothing is promised across rooms. A rev that shows this account nothing, or nothing that an
/// earlier update has not shown, gives none.
public sealed interface RoomUpdate {
  RoomId roomId();

  /// An update that shows a message.
  sealed interface OfMessage extends RoomUpdate {
    ChatMessage message();

    @Override
    default RoomId roomId() {
      return message().roomId();
    }
  }

  /// An update that tells who changed what.
  sealed interface OfChange extends RoomUpdate {
    Change change();

    @Override
    default RoomId roomId() {
      return change().roomId();
    }
  }

  /// A message in its present state: one that is read late may already be edited or a tombstone.
  record Said(ChatMessage message) implements OfMessage {}

  /// A message was edited; it may be older than anything shown.
  record Edited(ChatMessage message) implements OfMessage {}

  /// A message became a tombstone.
  record Deleted(Change change, Seq seq, AccountId deletedBy) implements OfChange {}

  record MemberJoined(Change change, AccountId accountId) implements OfChange {}

  /// @param reason `left`, `removed`, `banned` or `account_removed`; others may come
  record MemberLeft(Change change, AccountId accountId, String reason) implements OfChange {}

  /// Many people joined or left; only the numbers are known.
  record MembersChanged(Change change, int joined, int left) implements OfChange {}

  /// The room was archived and takes nothing new any more.
  record Archived(Change change) implements OfChange {}

  /// Something was said in a sealed room; what, the queues of its devices bring ([DeviceQueue]).
  record Sealed(Change change, Seq seq) implements OfChange {}

  /// The room is sealed from here on, for ever. It may be told together with a lifetime.
  ///
  /// @param fromSeq the first number under which nothing plain stands
  /// @param expiresInS as [ExpirySet]; absent: as before
  record RoomSealed(Change change, String suite, Seq fromSeq, @Nullable Integer expiresInS)
      implements OfChange {}

  /// What is said in the sealed room lasts so many seconds from now on; 0: as long as anything.
  record ExpirySet(Change change, int expiresInS) implements OfChange {}

  /// A change of a kind that has no record of its own.
  ///
  /// @param frame the event as the server wrote it, JSON
  record Other(Change change, String kind, String frame) implements OfChange {}

  /// The log of this room begins anew with its newest page; later updates follow the page without
  /// a hole.
  ///
  /// @param gap something may be missing between what was shown before and this page: the
  ///     program drops what it has of this room, or keeps a mark there and fills it from history
  record Reset(RoomId roomId, HistoryPage page, boolean gap) implements RoomUpdate {}

  /// Where, by whom and when.
  ///
  /// @param ts milliseconds since 1970 by PostgreSQL's clock
  record Change(RoomId roomId, Rev rev, AccountId actorId, long ts) {}
}
