/// The public listener: API and sockets share one port, so one server on each event loop takes
/// both and hands them to `http` and `socket`.
@NullMarked
package io.confab.edge;

import org.jspecify.annotations.NullMarked;
