/// Tests of the HTTP edge.
@NullMarked
package io.confab.http;

import org.jspecify.annotations.NullMarked;
