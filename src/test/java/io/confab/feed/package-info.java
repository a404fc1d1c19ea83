@NullMarked
package io.confab.feed;

import org.jspecify.annotations.NullMarked;
