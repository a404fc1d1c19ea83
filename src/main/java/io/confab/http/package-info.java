/// The JSON HTTP API, and the management port.
@NullMarked
package io.confab.http;

import org.jspecify.annotations.NullMarked;
