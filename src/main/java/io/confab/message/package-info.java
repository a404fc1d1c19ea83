/// Messages: storing them in groups, exactly once and in order, and reading them as history.
///
/// Owns the tables `message` and `send_key`, and the function `append_messages`.
@NullMarked
package io.confab.message;

import org.jspecify.annotations.NullMarked;
