package io.confab.protocol;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the server tells one client on its socket. What it tells all members of a room is a
/// numbered event and is encoded elsewhere, once for everybody.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ServerFrame {
  /// Raised whenever clients may use something new.
  int FEATURE_LEVEL = 6;

  @JsonTypeName("welcome")
  record Welcome(
      @Nullable String re,
      SessionId sessionId,
      AccountId accountId,
      DeviceId deviceId,
      NodeId nodeId,
      long serverTime,
      int featureLevel,
      Limits limits,
      List<WelcomeRoom> rooms,
      @Nullable Boolean moreRooms)
      implements ServerFrame {}

  record Limits(int frameBytes, int bodyBytes, int requests, int rooms) {}

  /// @param receipts whether members see how far others have received and read
  record WelcomeRoom(
      RoomId roomId,
      Epoch epoch,
      Seq seq,
      Rev rev,
      Seq readSeq,
      @Nullable Seq unreadFrom,
      boolean receipts) {}

  @JsonTypeName("resumed")
  record Resumed(@Nullable String re, List<ResumedRoom> rooms) implements ServerFrame {}

  /// Either a position with `recovered`, or `gone:true`.
  record ResumedRoom(
      String roomId,
      @Nullable Epoch epoch,
      @Nullable Rev rev,
      @Nullable Boolean recovered,
      @Nullable Boolean gone) {

    public static ResumedRoom at(RoomId room, Epoch epoch, Rev rev, boolean recovered) {
      return new ResumedRoom(room.toString(), epoch, rev, recovered, null);
    }

    public static ResumedRoom lost(String room) {
      return new ResumedRoom(room, null, null, null, true);
    }
  }

  @JsonTypeName("message.ack")
  record MessageAck(
      @Nullable String re,
      RoomId roomId,
      ClientId clientId,
      @Nullable String localId,
      Seq seq,
      Rev rev,
      long ts,
      String status,
      @Nullable Boolean duplicate)
      implements ServerFrame {}

  /// A send to a sealed room is stored.
  ///
  /// @param seq absent: it is silent
  /// @param full devices whose queues took nothing; absent: all did, or it is a duplicate
  @JsonTypeName("envelope.ack")
  record EnvelopeAck(
      @Nullable String re,
      String roomId,
      ClientId clientId,
      @Nullable String localId,
      @Nullable Seq seq,
      long ts,
      String status,
      @Nullable Boolean duplicate,
      @Nullable List<FullDevice> full)
      implements ServerFrame {}

  /// A message of the account does not arrive at another one.
  ///
  /// @param status `failed`
  @JsonTypeName("message.ack")
  record Undelivered(
      RoomId roomId, AccountId accountId, Seq seq, String status, FailureReason reason)
      implements ServerFrame {}

  /// Others have received or read the account's own messages up to this one.
  ///
  /// @param status `delivered` or `read`
  @JsonTypeName("message.ack")
  record Receipt(RoomId roomId, Seq seq, String status) implements ServerFrame {}

  /// @param unreadFrom told to the account's own sessions alone
  @JsonTypeName("marker")
  record Marker(
      RoomId roomId,
      AccountId accountId,
      @Nullable Seq readSeq,
      @Nullable Seq deliveredSeq,
      @Nullable Seq unreadFrom)
      implements ServerFrame {}

  /// In a sealed room a device of the account has acknowledged the messages of others from one to
  /// another.
  @JsonTypeName("marker")
  record Received(RoomId roomId, AccountId accountId, Seq deliveredFrom, Seq deliveredSeq)
      implements ServerFrame {}

  /// @param first the number from which envelopes come
  /// @param last up to where there are some
  /// @param reset whether what the client knew was of another database, or no position of the queue
  @JsonTypeName("queue.opened")
  record QueueOpened(
      @Nullable String re,
      Epoch epoch,
      QueueSeq first,
      QueueSeq last,
      @Nullable Boolean reset,
      long oneTimeKeys,
      boolean fallbackUsed)
      implements ServerFrame {}

  /// All has been sent that there was when the queue was opened.
  @JsonTypeName("queue.empty")
  record QueueEmpty(QueueSeq queueSeq) implements ServerFrame {}

  /// @param total in all rooms of the account
  /// @param seq the last message of the room that was looked at
  @JsonTypeName("unread")
  record Unread(RoomId roomId, long unread, long mentions, long total, Seq seq)
      implements ServerFrame {}

  @JsonTypeName("room.gap")
  record RoomGap(RoomId roomId, Epoch epoch, Rev rev) implements ServerFrame {}

  @JsonTypeName("room.added")
  record RoomAdded(Room room) implements ServerFrame {}

  @JsonTypeName("room.removed")
  record RoomRemoved(RoomId roomId, LeaveReason reason) implements ServerFrame {}

  @JsonTypeName("invitation")
  record Invited(RoomId roomId, @Nullable String name, AccountId invitedBy)
      implements ServerFrame {}

  @JsonTypeName("invitation.ended")
  record InvitationEnded(RoomId roomId) implements ServerFrame {}

  @JsonTypeName("account.changed")
  record AccountChanged(AccountId accountId, String displayName) implements ServerFrame {}

  @JsonTypeName("devices.changed")
  record DevicesChanged(AccountId accountId, long version) implements ServerFrame {}

  /// @param oneTimeKeys how many of the session's device wait to be handed out
  @JsonTypeName("keys.low")
  record KeysLow(long oneTimeKeys) implements ServerFrame {}

  /// @param until milliseconds since 1970, by PostgreSQL's clock
  @JsonTypeName("typing")
  record Typing(RoomId roomId, AccountId accountId, long until) implements ServerFrame {}

  @JsonTypeName("typing.stop")
  record TypingStop(RoomId roomId, AccountId accountId) implements ServerFrame {}

  /// @param rev of the change that was asked for
  /// @param expiresInS seconds for which a renewed token lasts
  @JsonTypeName("ok")
  record Ok(@Nullable String re, @Nullable Rev rev, @Nullable Long expiresInS)
      implements ServerFrame {

    public static Ok done(@Nullable String re) {
      return new Ok(re, null, null);
    }

    public static Ok changed(@Nullable String re, Rev rev) {
      return new Ok(re, rev, null);
    }

    public static Ok renewed(@Nullable String re, long expiresInS) {
      return new Ok(re, null, expiresInS);
    }
  }

  @JsonTypeName("presence.state")
  record PresenceState(@Nullable String re, List<PresenceView> accounts, List<RoomOnline> rooms)
      implements ServerFrame {}

  /// @param online how many members are there, as far as the reader may know
  record RoomOnline(RoomId roomId, long online) {}

  @JsonTypeName("presence")
  record Presence(
      AccountId accountId, PresenceStatus status, @Nullable Long lastSeen, @Nullable String text)
      implements ServerFrame {
    public static Presence of(PresenceView view) {
      return new Presence(view.accountId(), view.status(), view.lastSeen(), view.text());
    }
  }

  @JsonTypeName("presence.count")
  record PresenceCount(RoomId roomId, long online) implements ServerFrame {}

  /// The account has a seat in the room.
  ///
  /// @param inside how many have one
  @JsonTypeName("seat.inside")
  record SeatInside(@Nullable String re, RoomId roomId, long inside, long capacity)
      implements ServerFrame {}

  /// The account is in the line before the room.
  ///
  /// @param ahead how many are before it
  /// @param estimateS in how many seconds its turn may come; absent: nobody knows
  /// @param place by which it comes back to it when the line was lost
  @JsonTypeName("seat.waiting")
  record SeatWaiting(
      @Nullable String re,
      RoomId roomId,
      long position,
      long ahead,
      long waiting,
      @Nullable Long estimateS,
      @Nullable String place)
      implements ServerFrame {}

  /// A seat is kept for the account.
  ///
  /// @param until milliseconds since 1970
  @JsonTypeName("seat.offer")
  record SeatOffer(@Nullable String re, RoomId roomId, long until) implements ServerFrame {}

  /// The account has neither seat nor place any more.
  @JsonTypeName("seat.lost")
  record SeatLost(RoomId roomId, SeatLoss reason) implements ServerFrame {}

  @JsonTypeName("pong")
  record Pong(@Nullable String re, long ts) implements ServerFrame {}

  @JsonTypeName("error")
  record ErrorFrame(
      @Nullable String re,
      ErrorCode code,
      String message,
      @Nullable String field,
      boolean retryable,
      @Nullable Long retryAfterMs,
      @Nullable ClientId clientId,
      @Nullable List<PresentDevice> devices)
      implements ServerFrame {

    public static ErrorFrame of(@Nullable String re, Refusal refusal, @Nullable ClientId clientId) {
      return new ErrorFrame(
          re,
          refusal.code(),
          refusal.detail(),
          refusal.field().orElse(null),
          refusal.code().retryable(),
          refusal.retryAfter().map(Duration::toMillis).orElse(null),
          clientId,
          refusal.devices().orElse(null));
    }
  }

  @JsonTypeName("goodbye")
  record Goodbye(int code, String reason, boolean resume, long reconnectAfterMs)
      implements ServerFrame {}
}
