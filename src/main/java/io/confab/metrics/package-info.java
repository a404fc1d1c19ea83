/// Every meter name in one table.
@NullMarked
package io.confab.metrics;

import org.jspecify.annotations.NullMarked;
