/// The contract with clients, as `docs/openapi.yaml` and `docs/asyncapi.yaml` state it, held
/// against everything that tests see on the wire.
///
/// `Documents` reads both, `HttpContract` and `FrameContract` judge by them, and `Violations`
/// fails the test during which something was seen that they do not state.
@NullMarked
package io.confab.contract;

import org.jspecify.annotations.NullMarked;
