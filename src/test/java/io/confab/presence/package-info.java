@NullMarked
package io.confab.presence;

import org.jspecify.annotations.NullMarked;
