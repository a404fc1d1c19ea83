package io.confab.client;

import io.confab.protocol.ClientId;
import java.util.HashMap;
import java.util.Map;

/// The sends whose outcome is not known yet. For one thread at a time.
final class PendingSends {
  private final Map<ClientId, PendingSend> pending = new HashMap<>();
  private final ClientListener listener;

  /// @param listener is called when a send is settled
  PendingSends(ClientListener listener) {
    this.listener = listener;
  }

  void add(PendingSend send) {
    pending.put(send.clientId(), send);
  }

  void stored(SentMessage message) {
    PendingSend send = pending.remove(message.clientId());
    if (send != null) {
      send.settle(message);
      listener.sendChanged(send);
    }
  }

  void failed(ClientId clientId, ApiException refusal) {
    PendingSend send = pending.remove(clientId);
    if (send != null) {
      send.fail(refusal);
      listener.sendChanged(send);
    }
  }
}
