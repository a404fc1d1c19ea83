package io.confab.retention;

import io.confab.protocol.WireName;

/// What is removed when it is over, as metrics and the log name it.
public enum Swept implements WireName {
  REFRESH_TOKENS,
  DEVICES,
  TICKETS,
  ANSWERS,
  INVITATIONS,
  MUTES,
  AUDIT,
  SPENT_KEYS,
  KEY_CLAIMS,
  PAYLOADS,
  FAILURES,
  LETTERS,
  DORMANT,
  ENVELOPES
}
