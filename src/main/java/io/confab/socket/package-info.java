/// WebSockets: handshake, sessions, what waits to be written.
@NullMarked
package io.confab.socket;

import org.jspecify.annotations.NullMarked;
