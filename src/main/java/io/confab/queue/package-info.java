/// Sealed rooms: what is put into the queues of devices, and what becomes of it. What is in an
/// envelope only clients understand; here it is text, and reaches no log.
///
/// ```
///  envelope.send ─► writer of the room ─► append_envelopes ─► device_queue, envelope,
///                                            │                envelope_payload
///                                            ├─► room.event "sealed"     (as any event)
///                                            └─► QueuedSend              (to the devices)
///  queue.open ─► read_queues ─► envelope.receive    (many devices a statement)
///  queue.ack ─► ack_queues ─► delivery_span      delivered: a span of some device has it
///  full, over, removed, not to be read ─► delivery_failure            and only then failed
/// ```
///
/// Owns the tables `device_queue`, `envelope`, `envelope_payload`, `delivery_span`,
/// `delivery_failure` and `dead_letter`.
@NullMarked
package io.confab.queue;

import org.jspecify.annotations.NullMarked;
