/// Start here: the command line and the node that it starts.
@NullMarked
package io.confab;

import org.jspecify.annotations.NullMarked;
