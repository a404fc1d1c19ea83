/// The wire: ids, frames and what they hold, error and close codes, and the strict JSON codec.
///
/// Knows nothing of Vert.x verticles, SQL or Redis; everything else may use it.
@NullMarked
package io.confab.protocol;

import org.jspecify.annotations.NullMarked;
