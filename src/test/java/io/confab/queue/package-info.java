@NullMarked
package io.confab.queue;

import org.jspecify.annotations.NullMarked;
