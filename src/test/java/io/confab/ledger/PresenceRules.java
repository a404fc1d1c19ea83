package io.confab.ledger;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What devices know at the end of who is there, and what they were told of who types.
final class PresenceRules {
  /// A sign of typing lasts so long, by the clock of the database.
  private static final long LASTS_MS = 5_000;

  /// How far the clocks of the database and of the devices may be apart.
  private static final long CLOCKS_MS = 200;

  private PresenceRules() {}

  private record Typist(String account, String room) {}

  static void check(FinalPresence presence, Findings findings) {
    presence.known().stream()
        .filter(known -> !presence.isRight(known))
        .forEach(
            known ->
                findings.add(
                    Invariant.PRESENCE_KNOWN, known + ", and is " + presence.status(known)));
    presence.counted().stream()
        .filter(counted -> !presence.isRight(counted))
        .forEach(
            counted ->
                findings.add(
                    Invariant.PRESENCE_KNOWN,
                    counted + ", and are " + presence.online(counted.room())));
  }

  static void typing(List<Entry> history, Findings findings) {
    Set<Typist> said = new HashSet<>();
    for (Entry entry : history) {
      switch (entry) {
        case Entry.TypingSaid(_, _, String account, String room) ->
            said.add(new Typist(account, room));
        case Entry.TypingTold told -> {
          if (told.typist().equals(told.account())) {
            findings.add(Invariant.TYPING_TRUE, told + ", of its own account");
          }
          if (!said.contains(new Typist(told.typist(), told.room()))) {
            findings.add(Invariant.TYPING_TRUE, told + ", who did not say so");
          }
          if (told.leftMs() > LASTS_MS + CLOCKS_MS) {
            findings.add(Invariant.TYPING_TRUE, told + ", for too long");
          }
        }
        default -> {}
      }
    }
  }
}
