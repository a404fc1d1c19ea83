/// Tests of seats, and the rules of seats in plain Java, which what Redis does is held against.
@NullMarked
package io.confab.seat;

import org.jspecify.annotations.NullMarked;
