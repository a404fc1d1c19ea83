package io.confab.protocol;

/// Whether somebody is there; a later one is more present.
public enum PresenceStatus implements WireName {
  OFFLINE,
  AWAY,
  ONLINE;

  /// What a session may say of itself. Refusal: `invalid_field`.
  public static PresenceStatus read(Fields fields, String name) {
    PresenceStatus status = fields.choice(name, PresenceStatus.class);
    if (status == OFFLINE) {
      throw Refusal.invalidField(fields.path(name), "must be online or away");
    }
    return status;
  }

  public boolean isPresent() {
    return this != OFFLINE;
  }

  /// The more present of two.
  public PresenceStatus or(PresenceStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
