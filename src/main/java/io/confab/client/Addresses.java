package io.confab.client;

import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The servers that a client may ask. One is used as long as it answers, then the next.
final class Addresses {
  private final List<URI> servers;
  private final AtomicInteger current = new AtomicInteger();

  Addresses(List<URI> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no server is named");
    }
    this.servers = List.copyOf(servers);
  }

  int count() {
    return servers.size();
  }

  int current() {
    return current.get();
  }

  URI at(int index) {
    return servers.get(index);
  }

  /// This server did not answer: the next is used, unless another call has moved on already.
  void failed(int index) {
    current.compareAndSet(index, (index + 1) % servers.size());
  }
}
