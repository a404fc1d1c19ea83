@NullMarked
package io.confab.websocket;

import org.jspecify.annotations.NullMarked;
