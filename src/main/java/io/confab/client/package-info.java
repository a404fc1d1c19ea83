/// A client of a Confab server: HTTP calls, and a live conversation that survives lost
/// connections.
///
/// [io.confab.client.ConfabApi] asks over HTTP, [io.confab.client.ConfabClient] follows rooms and
/// sends. Which frame follows which, what is shown and what is sent again is plain code without
/// clock and network: [io.confab.client.SessionRules] and what it holds, tested with the shared
/// cases in `src/test/resources/cases`.
///
/// Uses the ids of the protocol, Vert.x for HTTP and WebSocket, and Jackson. Reads tolerantly:
/// fields and kinds that it does not know are ignored.
@NullMarked
package io.confab.client;

import org.jspecify.annotations.NullMarked;
