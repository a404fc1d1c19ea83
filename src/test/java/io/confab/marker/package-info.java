/// Tests of markers and counts at the database.
@NullMarked
package io.confab.marker;

import org.jspecify.annotations.NullMarked;
