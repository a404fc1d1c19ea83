package io.confab.feed;

import io.confab.protocol.WireName;

/// Why a node compares all it holds with the database.
enum CompareReason implements WireName {
  /// A digest of a peer was lost.
  MISSED,
  /// A peer had more to tell than fits into a digest.
  OVERFULL,
  /// A peer is heard for the first time, and has said something before.
  NEWCOMER,
  /// This node has started: a peer may have died before it was heard.
  START,
  /// A peer is silent.
  SILENT,
  /// All that a silent or leaving peer had under way must be over.
  GONE,
  /// This node does not hear itself through Redis.
  DEAF,
  /// A node that this one does not hear says in PostgreSQL that it is there.
  LONE,
  /// PostgreSQL is back.
  DATABASE
}
