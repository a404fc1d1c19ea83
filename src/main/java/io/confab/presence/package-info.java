/// Who is connected where: the registry of sessions in Redis.
///
/// Owns the keys `conn:{<account>}`.
@NullMarked
package io.confab.presence;

import org.jspecify.annotations.NullMarked;
