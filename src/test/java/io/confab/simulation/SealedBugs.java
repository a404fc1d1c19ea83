package io.confab.simulation;

import java.util.List;

/// The bugs in what carries sealed rooms to devices that a simulation must find.
final class SealedBugs {
  private static final String CHECK = "simulation";
  private static final String QUEUE = "java/io/confab/queue/";
  private static final String MESSAGE = "java/io/confab/message/";
  private static final String STREAM = "java/io/confab/socket/QueueStream.java";
  private static final String SESSION = "java/io/confab/socket/SessionQueue.java";

  private SealedBugs() {}

  static List<Bug> all() {
    return List.of(
        Bug.of(
            "live past the drain",
            CHECK,
            STREAM,
            "      held.add(new Held(place, tail));\n",
            "      deliver(place, tail);\n"),
        Bug.of(
            "payload before key",
            CHECK,
            STREAM,
            "return !place.cut() && hasRoom()",
            "return hasRoom()"),
        Bug.of(
            "more on the way than may be",
            CHECK,
            STREAM,
            "position.value() - acknowledged.value() < most",
            "position.value() - acknowledged.value() <= most"),
        Bug.of(
            "who is full never looks again",
            CHECK,
            STREAM,
            "      timers.after(nextLook, this::lookAgain);\n",
            ""),
        Bug.of(
            "a page of another epoch",
            CHECK,
            STREAM,
            "if (!owner.isCurrent(page.epoch())) {",
            "if (page.epoch().value() == 0) {"),
        Bug.of(
            "a position of another epoch",
            CHECK,
            SESSION,
            "frame.after().value() == 0 : epoch.equals(opened.epoch());",
            "frame.after().value() == 0 : epoch.value() > 0;"),
        sealedAckBeforeCommit(),
        Bug.of(
            "what waits behind a room put aside overtakes it",
            CHECK,
            MESSAGE + "WriterQueue.java",
            "return back != null && back.add(waiting);",
            "return back != null && back.isEmpty();"),
        Bug.of(
            "an ack told before its commit",
            CHECK,
            QUEUE + "AckWriter.java",
            "    return store\n        .ack(latest, waits)\n",
            """
                store.ack(latest, waits);
                java.util.Map<RegistrationId, QueueSeq> told = new TreeMap<>();
                latest.forEach((registration, ack) -> told.put(registration, ack.upTo()));
                return Future.succeededFuture(
                        new Acked(acks.getFirst().ack().epoch(), told, Set.of(), Set.of()))
            """),
        Bug.of(
            "told who is not to know",
            CHECK,
            QUEUE + "DeliveryTelling.java",
            "audience.getOrDefault(run, Set.of()),",
            "Set.of(),"),
        Bug.of(
            "woken twice",
            CHECK,
            QUEUE + "WakeWatch.java",
            "    wakes.wake(wake.device());\n",
            """
                wakes.wake(wake.device());
                wakes.wake(wake.device());
            """),
        Bug.of(
            "a wake of which nobody is told",
            CHECK,
            QUEUE + "WakeWatch.java",
            "    woken.add(wake);\n",
            ""),
        Bug.of(
            "a queue that was locked is not asked for again",
            CHECK,
            QUEUE + "WakeWatch.java",
            "claimed == null ? soon : claimed.later().get(registration);",
            "claimed == null ? soon : null;"));
  }

  private static Bug sealedAckBeforeCommit() {
    return Bug.of(
            "a sealed send told as stored before its commit",
            CHECK,
            MESSAGE + "EnvelopeCall.java",
            "    return log.put(drafts(group))\n",
            """
                for (Sealing entry : group) {
                  EnvelopeDraft draft = entry.draft();
                  entry
                      .answer()
                      .tryComplete(
                          new io.confab.queue.EnvelopeSent(
                              draft.roomId(), draft.clientId(), null, 0, false, null));
                }
                return log.put(drafts(group))
            """)
        .and(
            MESSAGE + "EnvelopeCall.java",
            "entry.answer().complete(stored.sent())",
            "entry.answer().tryComplete(stored.sent())")
        .and(
            MESSAGE + "EnvelopeCall.java",
            "entry.answer().complete(sent)",
            "entry.answer().tryComplete(sent)")
        .and(
            MESSAGE + "EnvelopeCall.java",
            "entry.answer().fail(reason)",
            "entry.answer().tryFail(reason)");
  }
}
