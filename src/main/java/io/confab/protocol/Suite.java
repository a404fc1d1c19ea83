package io.confab.protocol;

/// Which encryption keys and what they encrypt are of. To the server it is a name.
public enum Suite implements WireName {
  /// Olm carries keys, Megolm content.
  OLM1
}
