/// Time-outs, timers, retries and back-off. Time itself is handed in, so all of it runs in a
/// simulation. Uses nothing else of Confab.
@NullMarked
package io.confab.time;

import org.jspecify.annotations.NullMarked;
