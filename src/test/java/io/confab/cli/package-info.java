/// Tests of the command line.
@NullMarked
package io.confab.cli;

import org.jspecify.annotations.NullMarked;
