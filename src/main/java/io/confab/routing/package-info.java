/// The verticles that take commands from the bus to the domain.
@NullMarked
package io.confab.routing;

import org.jspecify.annotations.NullMarked;
