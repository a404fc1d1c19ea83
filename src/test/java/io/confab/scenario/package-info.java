/// The promises of the specification, tried through the public protocol against real nodes.
@NullMarked
package io.confab.scenario;

import org.jspecify.annotations.NullMarked;
