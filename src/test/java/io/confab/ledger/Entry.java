package io.confab.ledger;

/// Something that happened, at a time by the one clock of its history.
///
/// A *client* is one device; a *sender* and an *account* are ids as the server gives them. A
/// *view* is what one device sees of one room. A body is known by its hash; the empty text is the
/// hash of no body: that of a deleted message, or of an event that has none.
public sealed interface Entry {
  /// Nanoseconds of the history's clock.
  long t();

  /// A try to send, the first or a later one; it stands before anything of it leaves.
  record SendBegan(
      long t, String client, String room, String clientId, String sender, String bodyHash)
      implements Entry {}

  /// @param seq 0 for a silent envelope
  /// @param duplicate as the server said
  record Acked(long t, String client, String room, String clientId, long seq, boolean duplicate)
      implements Entry {}

  /// The answer to a try to send was an error.
  record Refused(long t, String client, String clientId, String code) implements Entry {}

  /// The connection was cut, or no answer came in time: it may have been stored or not.
  record Unknown(long t, String client, String clientId) implements Entry {}

  /// A try to edit, or to delete (then the hash is empty).
  record ChangeBegan(long t, String client, String room, long seq, String bodyHash)
      implements Entry {}

  /// The server said that the change has this rev.
  record ChangeAcked(long t, String client, String room, long seq, long rev, String bodyHash)
      implements Entry {}

  /// A try to say what [MarkerMoved] says when it is stored; it stands before anything of it is
  /// sent.
  record MarkerAsked(long t, String client, String room, String kind, long seq) implements Entry {}

  /// What the client was told of markers and receipts of a room is over: another membership began,
  /// or the last one ended.
  record MarksEnded(long t, String client, String room) implements Entry {}

  /// The server stored that the client's account has read or received up to a message, or wants to
  /// see it as unread.
  ///
  /// @param kind the type of the frame that said so
  record MarkerMoved(long t, String client, String room, String kind, long seq) implements Entry {}

  /// The client was told how far its account has read.
  ///
  /// @param unreadFrom 0 for nothing
  record MarkerTold(long t, String client, String room, long read, long delivered, long unreadFrom)
      implements Entry {}

  /// The client was told up to which of its account's messages others have received or read them.
  ///
  /// @param status which of both
  record ReceiptTold(long t, String client, String room, String status, long seq)
      implements Entry {}

  /// The client says that its account is typing; it stands before anything of it is sent.
  record TypingSaid(long t, String client, String account, String room) implements Entry {}

  /// The client of an account was told that another one is typing.
  ///
  /// @param leftMs for how long that is to be shown
  record TypingTold(long t, String client, String account, String room, String typist, long leftMs)
      implements Entry {}

  /// From now on everything after this rev is to come.
  ///
  /// @param client whose view it is
  record ViewBegan(
      long t, String view, String client, String account, String room, long epoch, long rev)
      implements Entry {}

  /// A numbered event as it came, before anything is left out.
  ///
  /// @param kind that of the event; a message that came has the kind [#MESSAGE]
  /// @param seq 0 where the kind has none; `sender` and `clientId` are empty then
  record Received(
      long t,
      String view,
      String room,
      long epoch,
      long rev,
      String kind,
      long seq,
      String sender,
      String clientId,
      String bodyHash)
      implements Entry {}

  /// The server could not replay: history was read, and the view goes on after this rev.
  record ViewReset(long t, String view, String room, long epoch, long rev) implements Entry {}

  /// Nothing more is to come: the account left, or the device is gone for good.
  record ViewEnded(long t, String view) implements Entry {}

  record Connected(long t, String client, String node) implements Entry {}

  /// @param code of the close, [#BY_ITSELF] where the client wanted it, or [#UNTOLD] without one
  record Disconnected(long t, String client, String node, int code) implements Entry {}

  /// The client signed in anew: what follows is by that.
  record SignedIn(long t, String client) implements Entry {}

  /// The server said that the client's sign-in is over, and with it its session.
  ///
  /// @param by the node that said so; empty where it may have been any
  /// @param within nanoseconds for which others may not know it, if nothing fails
  record Revoked(long t, String client, String by, long within) implements Entry {}

  /// A node took what the client had signed in with.
  ///
  /// @param asked when the client asked, by the clock of the history
  record LetIn(long t, String client, String node, long asked) implements Entry {}

  /// The server said that the room is archived, with this rev.
  record Archived(long t, String room, long rev) implements Entry {}

  /// The database had this commit under this epoch, and went back to a copy that lacks it. Told
  /// by whoever made it go back.
  ///
  /// @param seq that of the message, of a change the one that it changed; 0 for any other commit
  /// @param clientId that of the message; empty for anything else
  record CommitLost(
      long t, String room, long epoch, long seq, long rev, String sender, String clientId)
      implements Entry {}

  /// The server stored the client's keys: from now on it is a device of its account's sealed rooms.
  record DeviceBegan(long t, String client, String account, long registration) implements Entry {}

  /// Somebody is about to remove the device.
  record DeviceEnds(long t, String client, long registration) implements Entry {}

  /// A try to send to a sealed room, the first or a later one; it stands before anything of it
  /// leaves. One that takes a number of the room has a [SendBegan] beside it. A try that was told
  /// of other devices may be followed by one with other words under the same client id.
  ///
  /// @param registration of the sending device
  /// @param devices all registrations of the room as the sender knows them, with commas
  /// @param bodies those of them for which it has a body, with commas
  /// @param key what each body brings and the payload needs
  /// @param payloadHash empty without a payload
  record EnvelopeBegan(
      long t,
      String client,
      long registration,
      String sender,
      String room,
      String clientId,
      boolean silent,
      String devices,
      String bodies,
      String key,
      String payloadHash)
      implements Entry {}

  /// The server opened the queue of a device on a connection.
  ///
  /// @param after the last number that the client said it has
  /// @param first the first that was not acknowledged
  record QueueOpened(
      long t,
      String client,
      long registration,
      long epoch,
      long after,
      long first,
      long last,
      boolean reset)
      implements Entry {}

  /// An envelope as it came, before anything is dropped.
  ///
  /// @param seq 0 of a silent one
  /// @param clientId empty where it has lost what it held; all else but the numbers is then too
  /// @param brings the key that its body brings to this device; empty without a body
  record EnvelopeCame(
      long t,
      long registration,
      long epoch,
      long queueSeq,
      String room,
      long seq,
      String sender,
      String clientId,
      String brings,
      String payloadHash)
      implements Entry {
    boolean isGone() {
      return clientId.isEmpty();
    }
  }

  /// The client has kept all up to this number; what comes again up to there it drops.
  record QueueKept(long t, long registration, long epoch, long queueSeq) implements Entry {}

  /// A try to say what [QueueMoved] says when it is stored; it stands before anything of it is
  /// sent.
  record QueueAsked(long t, long registration, long epoch, String kind, long queueSeq)
      implements Entry {}

  /// The server stored that the device has kept all up to a number, or cannot read what has it.
  ///
  /// @param kind [#ACK] or [#REJECT]
  record QueueMoved(long t, long registration, long epoch, String kind, long queueSeq)
      implements Entry {}

  /// The client was told what became of messages of a sealed room at an account.
  ///
  /// @param from the first of them, up to `to`; the account's own ones are not meant
  /// @param status [#DELIVERED], or why it cannot get them
  record StateTold(
      long t, String client, String room, String account, long from, long to, String status)
      implements Entry {}

  /// The node answered what it was asked at `since` only now. Nobody need have broken anything: the
  /// machine has much else to do.
  record StoodStill(long t, String node, long since) implements Entry {}

  record FaultBegan(long t, String name, String target) implements Entry {}

  record FaultEnded(long t, String name, String target) implements Entry {}

  /// Somebody other than the fault itself noticed it.
  record FaultSeen(long t, String name, String target, String effect) implements Entry {}

  /// Of a connection that the client ended.
  int BY_ITSELF = 1000;

  /// Of a connection that was cut, or given up as silent.
  int UNTOLD = -1;

  /// Of an event that is a message.
  String MESSAGE = "message";

  /// Of an event that a message was sent in a sealed room.
  String SEALED = "sealed";

  /// The frame by which a device says what it has kept.
  String ACK = "queue.ack";

  /// The frame by which a device says what it cannot read.
  String REJECT = "queue.reject";

  /// A device of the account has acknowledged it.
  String DELIVERED = "delivered";

  /// Of an event of which only the number is told.
  String HIDDEN = "hidden";
}
