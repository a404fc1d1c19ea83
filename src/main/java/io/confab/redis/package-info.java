/// Redis: pipelined commands, supervised pub/sub, scripts.
@NullMarked
package io.confab.redis;

import org.jspecify.annotations.NullMarked;
