package io.confab.simulation;

import java.util.List;
import java.util.stream.Stream;

/// The bugs that must be caught, each a mistake that somebody might make.
public final class Bugs {
  private static final String FEED = "java/io/confab/feed/";
  private static final String SOCKET = "java/io/confab/socket/";
  private static final String POSTGRES = "java/io/confab/postgres/";
  private static final String MESSAGE = "java/io/confab/message/";
  private static final String APPEND =
      "resources/io/confab/postgres/migrations/R__append_messages.sql";
  private static final String APPEND_ONE =
      "resources/io/confab/postgres/migrations/R__append_message.sql";

  private static final String CHANGE =
      "resources/io/confab/postgres/migrations/R__change_messages.sql";
  private static final String CHANGE_ONE =
      "resources/io/confab/postgres/migrations/R__change_message.sql";
  private static final String CLAIM = "resources/io/confab/postgres/migrations/R__claim_keys.sql";

  private static final String MIGRATIONS = "resources/io/confab/postgres/migrations/";
  private static final String PUT = MIGRATIONS + "R__append_envelopes.sql";
  private static final String EXPIRE = MIGRATIONS + "R__expire_envelopes.sql";
  private static final String STREAM = "java/io/confab/socket/QueueStream.java";
  private static final String STREAM_TEST = "socket.QueueStreamTest";
  private static final String DELIVERY_TEST = "queue.QueueDeliveryIT#";
  private static final String STORE_TEST = "queue.EnvelopeStoreIT#";
  private static final String EXPIRY_TEST =
      "queue.QueueFunctionsIT#whatIsOverKeepsItsNumberAndFailsOnceWhereNobodyGotIt";
  private static final String CLAIM_TEST =
      "key.KeyClaimsIT#ofAHundredKeysTwoHundredGetAHundredAndTheOthersTheFallback";

  static final String WITHOUT_DIGESTS = "simulation without digests";

  private Bugs() {}

  /// Those that a simulation finds.
  static List<Bug> simulated() {
    return Stream.of(ofRooms(), SealedBugs.all()).flatMap(List::stream).toList();
  }

  private static List<Bug> ofRooms() {
    return List.of(
        ackBeforeCommit(),
        publishBeforeCommit(),
        Bug.of(
            "no dedup on delivery",
            "simulation",
            SOCKET + "RoomStream.java",
            "if (state == State.ENDED || state == State.OUTSIDE || !event.rev().isAfter(position))"
                + " {",
            "if (state == State.ENDED || state == State.OUTSIDE) {"),
        Bug.of(
            "no repair after re-subscribe",
            WITHOUT_DIGESTS,
            FEED + "FeedHub.java",
            "    roomIds.forEach(this::look);\n",
            ""),
        Bug.of("no digests", "simulation", FEED + "Digests.java", "      tell(digest);\n", "")
            .and(FEED + "Digests.java", "    compare(verdict.compare());\n", "")
            .and(FEED + "Digests.java", "compare(watch.tick(now));", "watch.tick(now);")
            .and(FEED + "Digests.java", "    compare(watch.lone(nodes, now));\n", ""),
        Bug.of(
            "the rest of a digest forgotten",
            "simulation",
            FEED + "Digests.java",
            "i <= parts.size(); i++",
            "i <= 1; i++"),
        Bug.of(
            "lone nodes not heard",
            "simulation",
            FEED + "Digests.java",
            "    compare(watch.lone(nodes, now));\n",
            ""),
        Bug.of(
            "a failed comparison forgotten",
            "simulation",
            SOCKET + "Comparison.java",
            """
                return look.get()
                    .onSuccess(_ -> compared = now.isAfter(compared) ? now : compared)
                    .onFailure(_ -> failed = true)
            """,
            """
                compared = now;
                return look.get()
            """),
        Bug.of(
            "the last node does not ask",
            "simulation",
            FEED + "Isolation.java",
            "now - Math.max(peerAt, databaseAt) >= LIMIT_NS",
            "now - peerAt >= LIMIT_NS"),
        Bug.of(
            "positions before subscribe",
            WITHOUT_DIGESTS,
            SOCKET + "Session.java",
            """
                    .compose(admitted -> join(arriving, admitted))
                    .compose(admitted -> greeting.welcome(re, hello.device(), authorised(admitted)))
            """
                .indent(0),
            """
                    .compose(
                        admitted ->
                            greeting
                                .welcome(re, hello.device(), authorised(admitted))
                                .compose(session -> join(arriving, admitted).map(session)))
            """),
        Bug.of(
            "window with a hole",
            "simulation",
            FEED + "SharedPages.java",
            "!events.isEmpty() && !events.getFirst().rev().isAfter(after.next())",
            "!events.isEmpty()"),
        Bug.of(
            "window ignoring an edit",
            "simulation",
            FEED + "FeedHub.java",
            "      stated.add(seal.apply(changes.get(i).message()));\n",
            ""),
        Bug.of(
            "slow reader skipped",
            "simulation",
            SOCKET + "RoomStream.java",
            """
                if (event.rev().isAfter(position.next()) || out.isFull()) {
                  fallBehind();
                } else {
            """,
            """
                if (out.isFull()) {
                  position = event.rev();
                } else {
            """),
        Bug.of(
            "a room put aside is overtaken",
            "simulation",
            MESSAGE + "WriterQueue.java",
            "    aside.getOrDefault(entry.room(), line).add(count(entry));\n",
            "    line.add(count(entry));\n"),
        Bug.of(
            "silence taken for a rollback",
            "simulation",
            POSTGRES + "FailureKind.java",
            "PgException error)) {\n      return LOST;",
            "PgException error)) {\n      return BUSY;"),
        Bug.of(
            "a full disk taken for a fault",
            "simulation",
            POSTGRES + "FailureKind.java",
            "return STORAGE;",
            "return FAULT;"),
        Bug.of(
            "two writers for one room",
            "simulation",
            MESSAGE + "WriteCommand.java",
            "case Send(var draft) -> Lane.of(draft.roomId());",
            "case Send(var draft) -> Lane.of(draft.clientId().hashCode());"),
        Bug.of(
            "a removed member still served",
            "simulation",
            SOCKET + "RoomStream.java",
            "&& event.rev().isAfter(memberAt)) {",
            "&& event.rev().value() < 0) {"),
        Bug.of(
            "a revoked session still served",
            "simulation",
            SOCKET + "Authorisation.java",
            "} else if (!ended.signIns().isEmpty() && !closed) {",
            "} else if (!ended.signIns().isEmpty() && closed) {"),
        Bug.of(
            "epoch ignored",
            "simulation",
            SOCKET + "ResumeRequest.java",
            "point.epoch().equals(epoch)\n              && gap >= 0",
            "gap >= 0"));
  }

  /// Numbers what it sends by what it stored last, and answers before the database does.
  public static Bug ackBeforeCommit() {
    return Bug.of(
            "ack before commit",
            "simulation",
            MESSAGE + "SendCall.java",
            "    return log.append(drafts(group));\n",
            """
                for (Sending entry : group) {
                  long seq = seqs.merge(entry.draft().roomId(), 1L, Long::sum);
                  entry
                      .answer()
                      .tryComplete(
                          new Sent(
                              entry.draft().roomId(),
                              entry.draft().clientId(),
                              new io.confab.protocol.Seq(seq),
                              new io.confab.protocol.Rev(seq),
                              0,
                              false));
                }
                return log.append(drafts(group));
            """)
        .and(
            MESSAGE + "SendCall.java",
            "entry.answer().handle(outcomes.get(i).answer(entry.draft()));",
            """
            if (outcomes.get(i) instanceof Outcome.Stored stored) {
              seqs.put(entry.draft().roomId(), stored.seq().value());
            }
            """)
        .and(
            MESSAGE + "SendCall.java",
            "  private final MessageLog log;\n",
            """
              private final MessageLog log;
              private final java.util.Map<Object, Long> seqs = new java.util.HashMap<>();
            """)
        .and(MESSAGE + "LogCall.java", "    entry.answer().fail(failure);\n", "");
  }

  /// Announces what it is about to store under the numbers that it expects.
  private static Bug publishBeforeCommit() {
    return Bug.of(
            "publish before commit",
            "simulation",
            MESSAGE + "SendCall.java",
            "    return log.append(drafts(group));\n",
            """
                List<Event> expected = new ArrayList<>();
                for (Sending entry : group) {
                  Outcome.Stored before = last.get(entry.draft().roomId());
                  if (before != null) {
                    Outcome.Stored next =
                        new Outcome.Stored(
                            new io.confab.protocol.Seq(before.seq().value() + 1),
                            before.rev().next(),
                            before.ts(),
                            null);
                    last.put(entry.draft().roomId(), next);
                    expected.add(Event.of(next.message(entry.draft()), log.epoch()));
                  }
                }
                if (!expected.isEmpty()) {
                  announcer.announce(expected);
                }
                return log.append(drafts(group));
            """)
        .and(
            MESSAGE + "SendCall.java",
            "entry.answer().handle(outcomes.get(i).answer(entry.draft()));",
            """
            entry.answer().handle(outcomes.get(i).answer(entry.draft()));
            if (outcomes.get(i) instanceof Outcome.Stored stored) {
              last.put(entry.draft().roomId(), stored);
            }
            """)
        .and(
            MESSAGE + "SendCall.java",
            "  private final MessageLog log;\n",
            """
              private final MessageLog log;
              private final java.util.Map<Object, Outcome.Stored> last = new java.util.HashMap<>();
            """);
  }

  /// Those in the functions of the database and at its connections, which tests above a real one
  /// find.
  static List<Bug> ofTheDatabase() {
    return List.of(
        Bug.of(
            "no dedup of sends",
            "message.AppendTortureIT",
            APPEND,
            "CREATE OR REPLACE",
            "ALTER TABLE send_key DROP CONSTRAINT send_key_pkey;\nCREATE OR REPLACE"),
        Bug.of(
                "nextval instead of the counter",
                "message.AppendTortureIT",
                APPEND,
                "CREATE OR REPLACE",
                "CREATE SEQUENCE number START 1000000;\nCREATE OR REPLACE")
            .and(APPEND_ONE, "RETURNING p.last_seq,", "RETURNING nextval('number'),"),
        entitlementBeforeTheLock(),
        Bug.of(
            "a former backend that lives on",
            "message.AppendStoreIT#connectingAnewEndsTheFormerConnectionsCall",
            POSTGRES + "WriterConnection.java",
            "    if (backend.pid() == 0) {\n",
            "    if (backend.pid() >= 0) {\n"),
        Bug.of(
            "sent not undone for a duplicate",
            "message.AppendStoreIT#aRetryGetsTheSameNumbersAndTime",
            APPEND_ONE,
            "m.sent - 1",
            "m.sent"),
        Bug.of(
            "what a group sent not counted",
            "message.AppendStoreIT#everyMessageIsCountedOnce",
            APPEND,
            "m.sent + c.n",
            "m.sent"),
        Bug.of(
            "mentions stay after a deletion",
            "message.MentionIT#anEditMentionsAnewAndADeletionNobody",
            CHANGE_ONE,
            "WHERE o.room_id = room_ AND",
            "WHERE NOT deletes AND o.room_id = room_ AND"),
        Bug.of(
            "mentions of former words stay after a run",
            "message.MentionIT#ofSeveralChangesInARunTheLastOneSaysWhoIsMentioned",
            CHANGE,
            "WHERE x.account_id = a.account_id AND",
            "WHERE d.seq < 0 AND x.account_id = a.account_id AND"),
        Bug.of(
            "mentions by whom one has blocked",
            "message.MentionIT#whoBlockedTheSenderIsNotMentioned",
            "resources/io/confab/postgres/migrations/R__find_mentions.sql",
            "b.blocked_id = d.sender_id) IS NULL)",
            "b.blocked_id = 0) IS NULL)"),
        claimByReadingFirst(),
        Bug.of(
            "a claim that waits for its key",
            CLAIM_TEST,
            CLAIM,
            "ORDER BY o.key_id LIMIT 1 FOR UPDATE SKIP LOCKED) o),",
            "ORDER BY o.key_id LIMIT 1) o),"),
        Bug.of(
            "a queue's numbers from a sequence",
            STORE_TEST + "everyDeviceButThatOfTheSenderGetsIt",
            PUT,
            "q_lasts[g.j] + row_number() OVER before AS seq",
            "nextval('envelope_payload_number') AS seq"),
        Bug.of(
            "devices looked at outside of the lock",
            "queue.EnvelopeTortureIT#aDeviceGetsExactlyTheSendsThatNameIt",
            PUT,
            "ORDER BY q.registration_id FOR NO KEY UPDATE OF q) q;",
            "ORDER BY q.registration_id) q;"),
        Bug.of(
            "a device mismatch that keeps its key",
            STORE_TEST + "otherDevicesThanTheRoomHasAreAnsweredWithThoseThatItHasAndNothingIsKept",
            PUT,
            "AND d.mine AND NOT d.kept;",
            "AND d.mine AND NOT d.mine;"),
        Bug.of(
            "a message without the key that it needs",
            STORE_TEST + "aKeyAndTheMessageThatNeedsItLieInOneEnvelope",
            PUT,
            "SELECT d.registration_id, d.seq, payload_ids[d.i], b.body\n",
            "SELECT d.registration_id, d.seq, payload_ids[d.i], NULL\n"),
        Bug.of(
            "depth as it was before the group",
            STORE_TEST + "aQueueTakesSoManyAndTheSenderIsToldWhichTookNothing",
            PUT,
            "array_agg(t.seq - t.gone <= most_)",
            "array_agg((SELECT q.last_seq - q.gone_seq < most_ FROM device_queue q"
                + " WHERE q.registration_id = t.registration_id))"),
        Bug.of(
                "depth looked at outside of the lock",
                "queue.EnvelopeTortureIT#aQueueIsNeverDeeperThanItMayBeHoweverManySend",
                PUT,
                "  size      CONSTANT integer := cardinality(slots);\n",
                "  size      CONSTANT integer := cardinality(slots);\n"
                    + "  depths    CONSTANT jsonb := (SELECT jsonb_object_agg(q.registration_id,"
                    + " q.last_seq - q.gone_seq) FROM device_queue q);\n")
            .and(
                PUT,
                "array_agg(t.seq - t.gone <= most_)",
                "array_agg((depths->>t.registration_id::text)::bigint < most_)"),
        Bug.of(
            "expiry with a hole",
            EXPIRY_TEST,
            EXPIRE,
            "UPDATE envelope e SET payload_id = NULL, body = NULL WHERE",
            "DELETE FROM envelope e WHERE"),
        Bug.of(
            "expiry that fails nobody",
            EXPIRY_TEST,
            EXPIRE,
            "  PERFORM fail_envelopes(payloads_, accounts_, 'expired');\n",
            ""),
        Bug.of(
            "a delivered message that fails",
            EXPIRY_TEST,
            MIGRATIONS + "R__fail_envelopes.sql",
            "AND p.room_seq BETWEEN s.from_seq AND s.to_seq)",
            "AND p.room_seq < s.from_seq)"),
        Bug.of(
            "a removed device that keeps its queue",
            "queue.QueueFunctionsIT#whatAwaitedARemovedDeviceFailsWhereNoOtherHasIt",
            MIGRATIONS + "R__end_queues.sql",
            "  UPDATE device_queue q SET ended = true, dormant = true"
                + " WHERE q.registration_id = NEW.registration_id;\n"
                + "  DELETE FROM device_queue q WHERE q.registration_id = NEW.registration_id"
                + " AND q.gone_seq = q.last_seq;\n",
            ""),
        Bug.of(
            "a body in a log line",
            "queue.EnvelopeDraftTest",
            "java/io/confab/queue/EnvelopeDraft.java",
            "sender + \", \" + clientId",
            "sender + \", \" + payload + bodies + clientId"),
        Bug.of(
            "a lost send that nobody looks for",
            "socket.QueueFeedTest",
            "java/io/confab/socket/QueueFeed.java",
            "            if (followed.numbers.isMissingSome() && followed.equals(rooms.get(room)))"
                + " {\n",
            "            if (followed.numbers.isMissingSome() && !rooms.containsKey(room)) {\n"),
        Bug.of(
            "an ack beyond what was sent",
            STREAM_TEST,
            STREAM,
            "    return !seq.isAfter(position);\n",
            "    return !seq.isAfter(known.next());\n"),
        Bug.of(
                "a state that goes back",
                DELIVERY_TEST + "aDeviceGetsWhatWaitsForItAndEmptiesItsQueue",
                MIGRATIONS + "R__ack_queues.sql",
                "WHERE d.upto > d.gone_seq)",
                "WHERE d.upto <> d.gone_seq)")
            .and(
                MIGRATIONS + "R__ack_queues.sql",
                "greatest(q.gone_seq, q.upto)",
                "coalesce(q.upto, q.gone_seq)"),
        Bug.of(
            "a wake a message",
            DELIVERY_TEST + "whoStillWaitsIsWokenOnceUntilItsQueueWasEmpty",
            MIGRATIONS + "R__wake_queues.sql",
            "CASE WHEN d.told THEN 'infinity' ELSE clock_timestamp() + interval '5 s' END",
            "'-infinity'"));
  }

  private static Bug claimByReadingFirst() {
    return Bug.of(
            "a claim that reads first",
            CLAIM_TEST,
            CLAIM,
            "ORDER BY o.key_id LIMIT 1 FOR UPDATE SKIP LOCKED) o),",
            "ORDER BY o.key_id LIMIT 1) o),")
        .and(
            CLAIM,
            "LEFT JOIN taken t USING (registration_id)",
            """
            LEFT JOIN (SELECT f.registration_id, o.key_id, o.key
                         FROM free f JOIN one_time_key o USING (registration_id, key_id)) t
                   USING (registration_id)
            """);
  }

  private static Bug entitlementBeforeTheLock() {
    String lock =
        "  SELECT array_agg(p.last_seq), array_agg(p.last_rev), array_agg(p.countable),\n";
    return Bug.of(
            "entitlement checked before the lock",
            "message.AppendTortureIT",
            APPEND,
            "  inserted bigint;\n",
            "  inserted bigint;\n  members  boolean;\n")
        .and(
            APPEND,
            lock,
            """
              SELECT bool_and(EXISTS (SELECT FROM room_member m
                                       WHERE m.room_id = rooms[d.slot] AND m.account_id = d.sender))
                INTO members FROM unnest(slots, sender_ids) AS d (slot, sender);
            """
                + lock)
        .and(APPEND, "WHERE (SELECT sum(c.n) FROM counted c) = size", "WHERE members");
  }
}
