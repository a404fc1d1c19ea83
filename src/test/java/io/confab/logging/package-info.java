/// Tests of what logs look like.
@NullMarked
package io.confab.logging;

import org.jspecify.annotations.NullMarked;
