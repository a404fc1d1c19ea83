package io.confab.ledger;

/// What must hold.
public enum Invariant {
  /// What was acknowledged is stored, with the present body of the last acknowledged change.
  NOTHING_LOST,
  /// What is stored or was received had been sent before, with these bytes.
  NOTHING_MADE_UP,
  /// A sender's client id has one seq, be it acknowledged, refused or unknown.
  STORED_ONCE,
  /// Every acknowledgement of a client id tells the seq under which it is stored.
  ACKS_AGREE,
  /// Seqs are 1 to n, and revs rise with them.
  DENSE,
  /// A view gets every rev after its beginning once, in order, in its epoch.
  VIEW_IN_ORDER,
  /// A view that did not end has all up to the room's last rev.
  VIEW_COMPLETE,
  /// What was acknowledged before another send to the room began has the lower seq.
  REAL_TIME_ORDER,
  /// All views and all ways of reading tell the same.
  ONE_TRUTH,
  /// Once a client's sign-in was revoked, nothing that began later than its bound reaches the
  /// session or is acknowledged to it, the session is closed, and what it signed in with lets
  /// nobody in.
  REVOKED_SERVED_NO_MORE,
  /// Nobody is told what is in a room from the end of his last membership on.
  MEMBERS_ONLY,
  /// Nothing is said in a room after it was archived.
  ARCHIVED_SAYS_NO_MORE,
  /// At the end every device knows up to where others have received and read the messages of its
  /// account, no more and no less.
  RECEIPTS_KNOWN,
  /// At the end every device knows the marker of its account.
  MARKERS_KNOWN,
  /// A receipt is for a message that its account has sent.
  RECEIPTS_OF_OWN,
  /// A receipt is as high as what other members have confirmed to have received and read during
  /// their memberships, and no higher.
  RECEIPTS_CONFIRMED,
  /// What a device is told of markers and receipts does not go back during a membership.
  MARKS_FORWARD,
  /// The unread counts that markers keep are those of the messages.
  UNREAD_COUNTED,
  /// At the end every device knows who of those it watches is there, and how many.
  PRESENCE_KNOWN,
  /// Who is shown as typing is somebody else who has said so, and is shown for no longer than that
  /// lasts.
  TYPING_TRUE,
  /// What is sent to a device of sealed rooms goes on behind what it has, each number once, in
  /// order, without holes, in each epoch of its registration.
  QUEUE_DENSE,
  /// In a queue each number stands for one envelope, and each envelope has one number.
  ENVELOPES_ONCE,
  /// A device that is not removed ends with all that was acknowledged for it, and has acknowledged
  /// all that there is.
  QUEUE_COMPLETE,
  /// There is one order in which all devices get what they get.
  QUEUES_ALIKE,
  /// What was acknowledged before another envelope was first sent stands before it in all queues.
  QUEUES_IN_REAL_TIME,
  /// The key that a payload needs stands in each queue before it or with it.
  KEYS_FIRST,
  /// An envelope goes to the devices of the room as it was numbered, to all and to no other.
  DEVICES_OF_ROOM,
  /// A message of a sealed room is delivered to an account when one of its devices acknowledged it,
  /// failed when none can any more, and neither while it waits.
  STATES_TRUE,
  /// What a sender was told of its messages, live or when it asks in the end, is what the tables
  /// have: nothing that was delivered has failed later, or the other way round.
  STATES_KNOWN,
  /// Every fault was noticed by somebody.
  FAULTS_SEEN
}
