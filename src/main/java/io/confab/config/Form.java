package io.confab.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What a text looks like; in a list, each of its texts.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Form {
  /// A regular expression for the whole text.
  String value();

  /// The same for a reader.
  String says();
}
