/// Tests of the HTTP API over a real server and bus.
@NullMarked
package io.confab.http;

import org.jspecify.annotations.NullMarked;
