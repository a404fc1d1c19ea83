/// Rate limits, login throttling, and whose address a request comes from.
///
/// [Limit] is the one table of limits. [Limits] decides at once, from what this node knows of a
/// bucket, and tells Redis afterwards what was spent, so that nobody ever waits for a limit:
///
/// ```
///   take ──▶ Bucket of this node ──▶ yes, or rate_limited with the time to wait
///                 │ after each chunk            ▲
///                 ▼                             │ how far it is spent by all nodes
///            RedisBuckets (take.lua) ───────────┘
/// ```
///
/// What is taken is always told in full, so a debt is paid back: over time all nodes together let
/// through no more than the rate. At one moment each node may be a chunk, and what it let
/// through during one round trip, ahead of the others.
///
/// Keys: `limit:<what>:{<who>}`.
@NullMarked
package io.confab.limit;

import org.jspecify.annotations.NullMarked;
