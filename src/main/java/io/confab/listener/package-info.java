/// The public port before the caller is known: TLS and its certificates, bounds of heads and
/// requests, headers of every answer, and the client's address. Knows neither API nor sockets.
@NullMarked
package io.confab.listener;

import org.jspecify.annotations.NullMarked;
