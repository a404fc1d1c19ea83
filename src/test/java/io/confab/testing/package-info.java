/// What tests stand on: real servers, databases of their own, configurations.
@NullMarked
package io.confab.testing;

import org.jspecify.annotations.NullMarked;
