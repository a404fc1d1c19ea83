package io.confab.message;

import io.confab.feed.Event;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.queue.EnvelopeDraft;
import io.confab.queue.EnvelopeOutcome;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The database as one writer sees it: one connection, one call at a time.
///
/// [io.confab.postgres.FailureKind] says how a call failed; after `LOST` the log is not
/// connected any more.
interface MessageLog {
  /// Opens a new connection in place of the former one, whose last call has ended for good,
  /// committed or not, when this completes.
  Future<Void> connect();

  boolean connected();

  /// The incarnation of the database that it is connected to.
  Epoch epoch();

  /// Stores a group in one transaction and answers each draft, in their order, after the
  /// commit.
  Future<List<Outcome>> append(List<Draft> group);

  /// Makes edits and deletions in one transaction, in their order, and answers each after the
  /// commit.
  Future<List<ChangeOutcome>> change(List<MessageChange> run);

  /// Stores sends of sealed rooms in one transaction, all with a room or all without one, and
  /// answers each, in their order, after the commit.
  Future<List<EnvelopeOutcome>> put(List<EnvelopeDraft> group);

  /// Keeps a send that can never be stored, for whoever looks for the fault.
  Future<Void> bury(EnvelopeDraft draft, String reason);

  /// The events of those drafts that are stored, by whatever try, with the messages as they
  /// stand now.
  Future<List<Event>> find(List<Draft> group);

  /// The events of those changes that are stored, by whatever try; as above.
  Future<List<Event>> findChanges(List<MessageChange> run);

  /// The events of those sends of sealed rooms that are stored and have a number there, by whatever
  /// try.
  Future<List<Event>> findPut(List<EnvelopeDraft> group);

  /// Those of the rooms that somebody else has locked at this moment, or of whose queues one.
  Future<Set<RoomId>> locked(Collection<RoomId> rooms);

  Future<Void> close();
}
