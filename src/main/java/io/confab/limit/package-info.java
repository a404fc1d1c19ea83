/// Rate limits and the throttling of sign-ins.
///
/// [Limit] is the one table of limits. [Limits] decides at once, from what this node knows of a
/// bucket, and reports to Redis afterwards what was spent, so that no request waits for it:
///
/// ```
///   take ──▶ Bucket of this node ──▶ yes, or rate_limited with the time to wait
///                 │ after each chunk            ▲
///                 ▼                             │ how far it is spent by all nodes
///            RedisBuckets (take.lua) ───────────┘
/// ```
///
/// All tokens taken are reported, so an overdraft is paid back: over time all nodes together let
/// through no more than the rate. At one moment each node may be ahead of the others by a chunk
/// and by what it let through during one round trip.
///
/// Keys: `limit:<what>:{<who>}`.
@NullMarked
package io.confab.limit;

import org.jspecify.annotations.NullMarked;
