/// Tests of the meters.
@NullMarked
package io.confab.metrics;

import org.jspecify.annotations.NullMarked;
