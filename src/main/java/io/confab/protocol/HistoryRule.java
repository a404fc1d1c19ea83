package io.confab.protocol;

import io.confab.config.WireName;

/// What who joins a room may see of what was said before.
public enum HistoryRule implements WireName {
  ALL,
  SINCE_JOIN;
}
