/// Several nodes on one machine, each a process that is started again when it ends, on servers that
/// they share: `confab cluster`. Nothing here is needed by a node itself.
@NullMarked
package io.confab.local;

import org.jspecify.annotations.NullMarked;
