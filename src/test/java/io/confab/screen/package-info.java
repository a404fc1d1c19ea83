@NullMarked
package io.confab.screen;

import org.jspecify.annotations.NullMarked;
