/// PostgreSQL and Redis as child processes, for the one-command default.
@NullMarked
package io.confab.embedded;

import org.jspecify.annotations.NullMarked;
