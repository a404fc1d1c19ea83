/// The one TCP proxy of the tests, and the filters that say what it does to the bytes of a
/// connection: what they lose, what they count, and when they cut.
@NullMarked
package io.confab.testing.proxy;

import org.jspecify.annotations.NullMarked;
