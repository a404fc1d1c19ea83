@NullMarked
package io.confab.key;

import org.jspecify.annotations.NullMarked;
