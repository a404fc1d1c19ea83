package io.confab.access;

import java.util.Locale;

/// Where something is done: a section of the matrix.
enum Place {
  GROUP,
  CHANNEL,
  DIRECT,
  ARCHIVED_GROUP,
  ARCHIVED_CHANNEL,
  ARCHIVED_DIRECT,
  SERVER,
  MANAGEMENT;

  /// The head of its section.
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  boolean isRoom() {
    return this != SERVER && this != MANAGEMENT;
  }

  boolean isDirect() {
    return this == DIRECT || this == ARCHIVED_DIRECT;
  }

  boolean isChannel() {
    return this == CHANNEL || this == ARCHIVED_CHANNEL;
  }

  boolean isArchived() {
    return this == ARCHIVED_GROUP || this == ARCHIVED_CHANNEL || this == ARCHIVED_DIRECT;
  }
}
