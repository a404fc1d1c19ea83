/// What holds for the project as a whole.
@NullMarked
package io.confab;

import org.jspecify.annotations.NullMarked;
