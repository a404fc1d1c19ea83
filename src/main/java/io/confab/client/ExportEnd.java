package io.confab.client;

import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.Seq;

/// The last line of an export.
///
/// @param count how many messages came before it
public record ExportEnd(Epoch epoch, Seq seq, Rev rev, long count) {}
