@NullMarked
package io.confab.redis;

import org.jspecify.annotations.NullMarked;
