package io.confab.client.sealed;

import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;

/// Up to where the queue is opened and kept.
public record Position(Epoch epoch, QueueSeq queueSeq) {}
