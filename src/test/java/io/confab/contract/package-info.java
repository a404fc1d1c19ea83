/// The contract with clients, as `docs/openapi.yaml` and `docs/asyncapi.yaml` state it, held
/// against everything that any test sees go over the wire.
///
/// `Documents` reads both, `HttpContract` and `FrameContract` judge by them, and `Violations`
/// fails the test during which something was seen that they do not say.
@NullMarked
package io.confab.contract;

import org.jspecify.annotations.NullMarked;
