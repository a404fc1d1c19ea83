/// The public port before anybody is known: TLS and its certificates, bounds of heads and requests,
/// headers of every answer, and whose address a request comes from. Knows neither API nor sockets.
@NullMarked
package io.confab.listener;

import org.jspecify.annotations.NullMarked;
