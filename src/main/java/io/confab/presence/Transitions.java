package io.confab.presence;

import io.confab.feed.AccountSignal;
import io.confab.feed.AccountSignal.PresenceChanged;
import io.confab.feed.Announcer;
import io.confab.protocol.NodeId;
import java.util.List;
import java.util.function.IntConsumer;

/// Tells all who watch, and the log, who is another thing now. For any thread.
///
/// @param counted is told how many
record Transitions(Announcer announcer, PresenceLog log, IntConsumer counted) {
  /// @param by the node that said so
  void happened(NodeId by, List<Transition> transitions) {
    if (transitions.isEmpty()) {
      return;
    }
    counted.accept(transitions.size());
    announcer.signalOnce(transitions.stream().map(Transitions::signal).toList());
    log.add(by, transitions);
  }

  private static AccountSignal signal(Transition of) {
    return new PresenceChanged(of.account(), of.status(), of.at(), of.version());
  }
}
