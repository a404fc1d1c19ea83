/// Rooms and the rights of their members, through the public protocol.
@NullMarked
package io.confab.scenario.room;

import org.jspecify.annotations.NullMarked;
