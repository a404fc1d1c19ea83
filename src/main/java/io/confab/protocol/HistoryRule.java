package io.confab.protocol;

/// What a new member may see of the messages before the join.
public enum HistoryRule implements WireName {
  ALL,
  SINCE_JOIN;
}
