package io.confab.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// On a test that fails when a switch of the configuration does nothing in this position.
/// `SwitchesTest` demands one for every position of every switch.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Position.Several.class)
public @interface Position {
  /// The path of the key and one of its values: `accounts.sign_up: false`.
  String value();

  /// What the compiler makes of more than one.
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  @interface Several {
    Position[] value();
  }
}
