package io.confab.message;

import io.confab.bus.BusMessage;
import io.confab.protocol.Message;
import io.confab.protocol.Rev;

/// A message is durably edited or deleted.
///
/// @param rev of the change that was asked for; later ones may have followed when it is a retry
/// @param message as it stands now
public record Changed(Rev rev, Message message) implements BusMessage {}
