package io.confab.simulation;

import io.confab.client.RoomPosition;
import io.confab.ledger.Entry;
import io.confab.ledger.FinalRead;
import io.confab.ledger.Invariants;
import io.confab.protocol.Epoch;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The invariants of the ledger, and what only a simulation can know: who was entitled to what,
/// and what every program shows at the end.
final class Checks {
  private final SimWorld world;
  private final List<String> violations = new ArrayList<>();

  private Checks(SimWorld world) {
    this.world = world;
  }

  static List<String> of(SimWorld world) {
    Checks checks = new Checks(world);
    List<FinalRead> reads = world.database().rooms().stream().map(Checks::read).toList();
    Invariants.check(world.entries(), reads)
        .forEach(violation -> checks.violations.add(violation.toString()));
    world.clients().forEach(checks::client);
    checks.sendersOrder();
    checks.noFaultsOfTheServer();
    checks.violations.addAll(world.journal().violations());
    world
        .clients()
        .forEach(
            client ->
                client
                    .sealing()
                    .disorder()
                    .forEach(how -> checks.violations.add("SEALED_ORDER: " + how)));
    world.cutOff().forEach(node -> checks.violations.add("CUT_OFF: " + node + " for no reason"));
    if (world.isCalm()) {
      checks.nothingStale();
    }
    return checks.violations;
  }

  private static FinalRead read(ModelRoom room) {
    return new FinalRead(
        "store", room.id.toString(), room.epoch.value(), room.rev().value(), room.stored());
  }

  private void client(SimClient client) {
    if (!client.isAtRest()) {
      String queue = world.hasSealedRooms() ? ", its queue: " + client.queue() : "";
      violations.add("AT_REST: " + client.name() + " is " + client.state() + " or waits" + queue);
    }
    for (ModelRoom room : world.database().rooms()) {
      boolean member = room.isMember(client.account());
      if (member != client.tap().follows(room.id)) {
        violations.add(
            "MEMBERSHIP: "
                + client.name()
                + (member ? " was never told of room " : " still follows room ")
                + room.id);
      }
      if (member) {
        client.shown().differences(room).forEach(d -> violations.add("SHOWN: " + d));
      }
    }
    for (RoomPosition position : client.positions()) {
      ModelRoom room = world.database().room(position.roomId());
      if (!position.epoch().equals(room.epoch) || position.rev().isAfter(room.rev())) {
        violations.add("AHEAD: " + client.name() + " keeps " + position + " at " + room.rev());
      }
    }
    for (Tap.Heard heard : client.tap().heard()) {
      ModelRoom room = world.database().room(new Epoch(heard.epoch()), RoomId.parse(heard.room()));
      if (!room.mayHear(client.account(), new Rev(heard.rev()))) {
        violations.add("ENTITLED: " + client.name() + " got " + heard);
      }
    }
  }

  /// Who connects after a change was acknowledged is not told the message as it was before.
  private void nothingStale() {
    Map<String, Long> changed = new HashMap<>();
    Map<String, Long> connected = new HashMap<>();
    Map<String, String> said = new HashMap<>();
    for (Entry entry : world.entries()) {
      switch (entry) {
        case Entry.SendBegan began -> said.putIfAbsent(began.clientId(), began.bodyHash());
        case Entry.ChangeAcked acked ->
            changed.putIfAbsent(acked.room() + "/" + acked.seq(), acked.t());
        case Entry.Connected began -> connected.put(began.client(), began.t());
        case Entry.Received got when got.kind().equals(Entry.MESSAGE) -> {
          String client = got.view().substring(0, got.view().indexOf('@'));
          long at = changed.getOrDefault(got.room() + "/" + got.seq(), Long.MAX_VALUE);
          if (at < connected.getOrDefault(client, 0L) - Scheduler.SECOND
              && got.bodyHash().equals(said.get(got.clientId()))) {
            violations.add("STALE: " + got);
          }
        }
        default -> {}
      }
    }
  }

  /// Whatever breaks, nobody is told of a fault in the product.
  private void noFaultsOfTheServer() {
    for (Entry entry : world.entries()) {
      if (entry instanceof Entry.Refused(_, String client, String clientId, String code)
          && code.equals("internal")) {
        violations.add("INTERNAL: " + client + " was told so of " + clientId);
      }
    }
  }

  /// Sends of one session to one room that were stored at the first try keep their order.
  private void sendersOrder() {
    Map<String, Long> seqs = new HashMap<>();
    for (Entry entry : world.entries()) {
      if (entry instanceof Entry.Acked acked && !acked.duplicate()) {
        seqs.put(acked.clientId(), acked.seq());
      }
    }
    for (Entry entry : world.entries()) {
      if (entry instanceof Entry.CommitLost lost) {
        seqs.remove(lost.clientId(), lost.seq());
      }
    }
    for (SimClient client : world.clients()) {
      Map<String, Long> last = new HashMap<>();
      for (Tap.InOrder sent : client.tap().triedOnce()) {
        Long seq = seqs.get(sent.clientId());
        Long before = seq == null ? null : last.put(sent.room() + " in " + sent.session(), seq);
        if (seq != null && before != null && before > seq) {
          violations.add("SENDERS_ORDER: " + sent + " got seq " + seq + " after " + before);
        }
      }
    }
  }
}
