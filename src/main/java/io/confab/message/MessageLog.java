package io.confab.message;

import io.confab.feed.Event;
import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
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

  /// Makes an edit or a deletion in a transaction of its own; answered after the commit.
  Future<ChangeOutcome> change(MessageChange change);

  /// The events of those drafts that are stored, by whatever try, with the messages as they
  /// stand now.
  Future<List<Event>> find(List<Draft> group);

  /// The event of a change that is stored, by whatever try, else none; as above.
  Future<List<Event>> find(MessageChange change);

  /// Those of the rooms that somebody else has locked at this moment.
  Future<Set<RoomId>> locked(Collection<RoomId> rooms);

  Future<Void> close();
}
