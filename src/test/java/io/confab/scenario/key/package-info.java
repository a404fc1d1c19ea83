/// Keys of devices, through the public protocol.
@NullMarked
package io.confab.scenario.key;

import org.jspecify.annotations.NullMarked;
