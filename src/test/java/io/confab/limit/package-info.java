@NullMarked
package io.confab.limit;

import org.jspecify.annotations.NullMarked;
