/// What programs print for a person: lines, a line of status below them, progress, and the text of
/// others made safe to print. Uses nothing.
@NullMarked
package io.confab.screen;

import org.jspecify.annotations.NullMarked;
