/// Time-outs, timers, retries, back-off, and the notice that the own process slept. Time itself is
/// handed in, so all of it but what runs on a loop of Vert.x runs in a simulation. Uses nothing
/// else of Confab.
@NullMarked
package io.confab.time;

import org.jspecify.annotations.NullMarked;
