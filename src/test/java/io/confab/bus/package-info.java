/// Tests of the bus.
@NullMarked
package io.confab.bus;

import org.jspecify.annotations.NullMarked;
