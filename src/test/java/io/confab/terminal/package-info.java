@NullMarked
package io.confab.terminal;

import org.jspecify.annotations.NullMarked;
