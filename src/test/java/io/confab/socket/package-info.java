/// Tests of sockets and sessions.
@NullMarked
package io.confab.socket;

import org.jspecify.annotations.NullMarked;
