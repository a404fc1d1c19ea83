package io.confab.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.feed.RecentEvents.Span;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.EventFrames.Stamp;
import io.confab.protocol.Message;
import io.confab.protocol.MessageType;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomChange;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.testing.OwnRedis;
import io.confab.testing.StoredChange;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// In a room whose members came at revs 1 and 2, so message n was sent at rev n + 2.
@ExtendWith(VertxExtension.class)
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisRecentWindowIT {
  private static final Epoch EPOCH = new Epoch(3);
  private static final AccountId ANN = new AccountId(1);
  private static final int SIZE = 20;
  private static final Pattern RUN = Pattern.compile("(?m)^cmdstat_([^:]+):calls=([1-9]\\d*),");

  private final OwnRedis redis = OwnRedis.start();
  private final RedisKeys keys = new RedisKeys("test:");
  private final PublicationCodec codec = new PublicationCodec(new byte[32]);
  private final RedisCommands commands;
  private final RedisRecentWindow window;
  private RoomId room = new RoomId(1);

  RedisRecentWindowIT(Vertx vertx) {
    this.commands = new RedisCommands(vertx, redis.url(), Duration.ofSeconds(30));
    this.window = window(SIZE, 1 << 24);
  }

  private RedisRecentWindow window(int events, int bytes) {
    return new RedisRecentWindow(
        commands,
        keys,
        codec,
        new RedisRecentWindow.Extent(events, bytes, Duration.ofMinutes(10), 1 << 26));
  }

  @BeforeAll
  void open() {
    commands.open();
    awaitRedis();
    add(sent(1, 1)); // Redis gets to know the script
    await().until(() -> revs(0, 3).size() == 1);
  }

  private void awaitRedis() {
    await().until(commands::isUp);
  }

  @AfterAll
  void close() {
    commands.close().await();
    redis.close();
  }

  @BeforeEach
  void anotherRoom() {
    room = new RoomId(room.value() + 1);
  }

  private Message message(long seq, @Nullable Long changed, @Nullable String body) {
    return new Message(
        room,
        new Seq(seq),
        new Rev(seq + 2),
        changed == null ? null : new Rev(changed),
        ANN,
        new ClientId("c" + seq),
        MessageType.TEXT,
        body,
        null,
        null,
        null,
        1_000,
        null,
        body == null ? 2_000L : null,
        body == null ? ANN : null);
  }

  private Event sent(long seq) {
    return Event.of(message(seq, null, "first of " + seq), EPOCH);
  }

  private void add(List<Event> events) {
    window.add(sealed(events));
  }

  private void addAll(List<List<Event>> calls) {
    window.addAll(calls.stream().map(this::sealed).toList());
  }

  private List<SealedEvent> sealed(List<Event> events) {
    return events.stream().map(codec::seal).toList();
  }

  private List<Event> sent(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(this::sent).toList();
  }

  /// As whoever edits announces it: the message as it is now, and the edit.
  private List<Event> edited(long seq, long rev, String body) {
    Message now = message(seq, rev, body);
    return List.of(
        Event.of(now, EPOCH), Event.of(stamp(rev, EPOCH), new RoomChange.MessageEdited(now, true)));
  }

  private List<Event> deleted(long seq, long rev) {
    return List.of(
        Event.of(message(seq, rev, null), EPOCH),
        Event.of(stamp(rev, EPOCH), new RoomChange.MessageDeleted(new Seq(seq), ANN)));
  }

  private Event joined(long rev) {
    return joined(rev, EPOCH);
  }

  private Event joined(long rev, Epoch epoch) {
    return StoredChange.joined(ANN).event(stamp(rev, epoch));
  }

  private Stamp stamp(long rev, Epoch epoch) {
    return new Stamp(room, new Rev(rev), epoch, ANN, 1_500);
  }

  private static Span span(long after, long upTo) {
    return new Span(new Rev(after), new Rev(upTo), 1_000);
  }

  private List<Event> read(long after, long upTo) {
    return window.read(room, span(after, upTo), EPOCH).await();
  }

  private List<Long> revs(long after, long upTo) {
    return read(after, upTo).stream().map(event -> event.rev().value()).toList();
  }

  private List<String> frames(long after, long upTo) {
    return read(after, upTo).stream().map(event -> new String(event.frame(), UTF_8)).toList();
  }

  private Response send(Command command, String... arguments) {
    Request request = Request.cmd(command).arg(keys.recent(room, EPOCH));
    List.of(arguments).forEach(request::arg);
    return commands.send("k", request).await();
  }

  /// All that Redis holds of the room, readable or not.
  private String content() {
    StringBuilder all = new StringBuilder();
    send(Command.HVALS).forEach(entry -> all.append(entry.toString(UTF_8)));
    return all.toString();
  }

  /// How many revs Redis holds of the room, readable or not.
  private long held() {
    return send(Command.HKEYS).stream()
        .filter(field -> Character.isDigit(field.toString().charAt(0)))
        .count();
  }

  private void put(long rev, Buffer entry) {
    commands
        .send("k", Request.cmd(Command.HSET).arg(keys.recent(room, EPOCH)).arg(rev).arg(entry))
        .await();
  }

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  private List<Long> part(long after, long upTo, int most) {
    return window.read(room, new Span(new Rev(after), new Rev(upTo), most), EPOCH).await().stream()
        .map(event -> event.rev().value())
        .toList();
  }

  @Test
  void aPartBeginsBehindTheLastHoleHoweverFewEventsItHolds() {
    add(sent(1, 4));
    add(sent(6, 9));
    assertThat(part(2, 11, 2)).containsExactly(8L, 9L);
    assertThat(part(9, 11, 5)).containsExactly(10L, 11L);
    assertThat(part(2, 6, 3)).containsExactly(3L, 4L, 5L);
    assertThat(part(2, 12, 3)).isEmpty();
  }

  @Test
  void ofLargeEventsAnAnswerHoldsFew() {
    String large = "x".repeat(100_000);
    for (long seq = 1; seq <= 8; seq++) {
      add(List.of(Event.of(message(seq, null, large), EPOCH)));
    }
    assertThat(revs(2, 10)).containsExactly(3L, 4L, 5L);
    assertThat(revs(5, 10)).containsExactly(6L, 7L, 8L);
    assertThat(revs(8, 10)).containsExactly(9L, 10L);
  }

  @Test
  void ofARoomOnlySoManyBytesAreKeptTheNewest() {
    RedisRecentWindow small = window(200, 40_000);
    for (long seq = 1; seq <= 100; seq++) {
      Event event = Event.of(message(seq, null, "x".repeat(1_000 * (int) (seq % 16))), EPOCH);
      small.add(sealed(List.of(event)));
      long bytes = send(Command.HGET, "bytes").toLong();
      assertThat(bytes).isBetween(1_000L * (seq % 16), 40_000L);
      assertThat((long) content().length()).isLessThanOrEqualTo(bytes + 20);
    }
    assertThat(revs(2, 102)).endsWith(101L, 102L).hasSizeBetween(3, 20);
    small.add(List.of(codec.seal(Event.of(message(101, null, "x".repeat(50_000)), EPOCH))));
    assertThat(revs(2, 103)).containsExactly(103L);
  }

  private boolean isThere(RoomId which) {
    return window.read(which, span(2, 3), EPOCH).await().size() == 1;
  }

  @Test
  void allRoomsTogetherHaveABoundInBytesAndTheColdestGo() {
    RedisRecentWindow bounded =
        new RedisRecentWindow(
            commands,
            keys,
            codec,
            new RedisRecentWindow.Extent(200, 1 << 20, Duration.ofMinutes(10), 100_000));
    List<RoomId> rooms = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      anotherRoom();
      rooms.add(room);
      Event event = Event.of(message(1, null, "x".repeat(8_000)), EPOCH);
      bounded.add(List.of(codec.seal(event)));
      assertThat(isThere(room)).isTrue();
    }
    await()
        .untilAsserted(
            () -> assertThat(rooms).filteredOn(this::isThere).isEqualTo(rooms.subList(30, 40)));
  }

  /// How often Redis ran each command meanwhile.
  private Map<String, Long> ran(Runnable meanwhile) {
    commands.send("k", Request.cmd(Command.CONFIG).arg("RESETSTAT")).await();
    meanwhile.run();
    String stats =
        commands.send("k", Request.cmd(Command.INFO).arg("commandstats")).await().toString();
    return RUN.matcher(stats)
        .results()
        .collect(Collectors.toMap(run -> run.group(1), run -> Long.valueOf(run.group(2))));
  }

  /// The work of one call in commands of Redis, each of which looks at a few fields of a hash.
  private long work(RedisRecentWindow of, List<Event> events) {
    Map<String, Long> calls = new HashMap<>(ran(() -> of.add(sealed(events))));
    calls.keySet().removeAll(List.of("evalsha", "config|resetstat"));
    assertThat(calls.keySet())
        .isSubsetOf("hmget", "hget", "hset", "hsetnx", "hstrlen", "hdel", "pexpire");
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void callsThatComeTogetherAreOneScript() {
    List<List<Event>> calls = new ArrayList<>();
    List<RoomId> rooms = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      anotherRoom();
      rooms.add(room);
      calls.add(sent(1, 3));
    }
    calls.add(edited(2, 6, "second"));
    calls.add(sent(5, 5));
    assertThat(ran(() -> addAll(calls))).containsEntry("evalsha", 1L);
    assertThat(rooms)
        .allSatisfy(
            each ->
                assertThat(window.read(each, span(2, 5), EPOCH).await())
                    .extracting(Event::room)
                    .containsOnly(each)
                    .hasSize(3));
    assertThat(revs(2, 7)).isEqualTo(range(3, 7));
    assertThat(frames(2, 7).get(1)).contains("second");
    assertThat(content()).doesNotContain("first of 2");
  }

  @Test
  void callsGoIntoOneScriptOnlyAsFarAsItsPortionGoes() {
    List<List<Event>> calls = new ArrayList<>();
    for (long from = 1; from <= 200; from += SIZE) {
      calls.add(sent(from, from + SIZE - 1));
    }
    assertThat(ran(() -> addAll(calls))).containsEntry("evalsha", 4L); // 60, 60, 60 and 20 events
    assertThat(revs(2, 202)).isEqualTo(range(183, 202));

    anotherRoom();
    List<List<Event>> large =
        LongStream.rangeClosed(1, 5)
            .mapToObj(seq -> List.of(Event.of(message(seq, null, "x".repeat(40_000)), EPOCH)))
            .toList();
    assertThat(ran(() -> addAll(large))).containsEntry("evalsha", 5L);
    assertThat(revs(2, 7)).isEqualTo(range(3, 7));
  }

  @Test
  void aScriptForgetsOnlySoManyOneByOneAndWindowsWithMoreBeginAnew() {
    List<RoomId> rooms = new ArrayList<>();
    List<List<Event>> late = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      anotherRoom();
      rooms.add(room);
      add(sent(1, SIZE));
      late.add(sent(2 * SIZE - 1, 2 * SIZE - 1)); // all but one of the others are too old
    }
    Map<String, Long> ran = ran(() -> addAll(late));
    assertThat(ran).containsEntry("evalsha", 1L).containsEntry("del", 7L);
    assertThat(ran.get("hstrlen")).isEqualTo(13L * (SIZE - 1)).isLessThan(256);
    assertThat(rooms)
        .allSatisfy(
            each ->
                assertThat(window.read(each, span(2, 2L * SIZE + 1), EPOCH).await()).hasSize(1));
  }

  @Test
  void editsAndLateSendsCostNoMoreInALongWindow() {
    List<List<Long>> costs = new ArrayList<>();
    for (int size : List.of(10, 200, 1_000)) {
      anotherRoom();
      RedisRecentWindow of = window(size, 1 << 24);
      of.add(sent(1, size + 2).stream().map(codec::seal).toList());
      long last = size + 4L;
      long send = work(of, List.of(sent(last - 1)));
      List<Long> others = new ArrayList<>();
      others.add(work(of, edited(last - 5, last + 2, "once")));
      others.add(work(of, edited(last - 5, last + 3, "twice")));
      others.add(work(of, edited(last - 5, last + 5, "later")));
      others.add(work(of, edited(last - 5, last + 4, "late")));
      others.add(work(of, edited(1, last + 6, "of an old one")));
      of.add(List.of(codec.seal(joined(last + 8))));
      others.add(work(of, List.of(joined(last + 7)))); // overtaken
      others.add(work(of, sent(last - 3, last - 3))); // again
      assertThat(others).allMatch(cost -> cost <= 3 * send, "at most three sends of " + send);
      others.add(send);
      costs.add(others);
    }
    assertThat(costs).allMatch(costs.getFirst()::equals);
  }

  @Test
  void whatWasAnnouncedIsReadAsItWas() {
    List<Event> events = new ArrayList<>(List.of(joined(1), joined(2)));
    events.addAll(sent(1, 3));
    add(events);
    assertThat(read(0, 5)).usingRecursiveComparison().isEqualTo(events);
    assertThat(revs(3, 5)).containsExactly(4L, 5L);
    assertThat(revs(0, 4)).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void eventsOfSeveralRoomsGoToTheirRooms() {
    Event other = new Event(new RoomId(1_000), EPOCH, new Rev(3), new Event.OfRoom(), new byte[1]);
    add(List.of(sent(1), other, sent(2)));
    assertThat(revs(2, 4)).containsExactly(3L, 4L);
    assertThat(window.read(other.room(), span(2, 3), EPOCH).await()).hasSize(1);
  }

  @Test
  void whatLiesBehindAHoleIsNotRead() {
    add(sent(1, 2));
    add(sent(4, 6));
    assertThat(revs(2, 8)).containsExactly(6L, 7L, 8L);
    add(List.of(sent(3)));
    assertThat(revs(2, 8)).isEqualTo(range(3, 8));
  }

  @Test
  void nothingIsReadWhenTheLastIsMissing() {
    add(sent(1, 3));
    assertThat(revs(2, 6)).isEmpty();
    assertThat(revs(6, 7)).isEmpty();
  }

  @Test
  void anEditRestatesWhatWasSent() {
    add(sent(1, 3));
    add(edited(2, 6, "second"));
    assertThat(revs(2, 6)).isEqualTo(range(3, 6));
    assertThat(frames(2, 6).get(1)).contains("second").contains("\"changed_rev\":6");
    assertThat(content()).doesNotContain("first of 2");
  }

  @Test
  void whatWasSentComesLateAndIsNotTakenForWhatItIsNow() {
    add(List.of(sent(1)));
    add(edited(2, 5, "second"));
    add(List.of(sent(2)));
    assertThat(revs(2, 5)).isEqualTo(range(3, 5));
    assertThat(content()).contains("second").doesNotContain("first of 2");
  }

  @Test
  void anEditThatComesAfterALaterOneIsLeftOut() {
    add(sent(1, 2));
    add(edited(1, 6, "third"));
    add(edited(1, 5, "second"));
    assertThat(content()).contains("third").doesNotContain("second", "first of 1");
    assertThat(revs(2, 6)).containsExactly(6L); // the number of the edit before it is a hole
  }

  @Test
  void anEditOfAMessageOlderThanTheWindowIsOvertakenToo() {
    add(sent(50, 60));
    add(edited(1, 64, "third"));
    add(edited(1, 63, "second"));
    assertThat(content()).contains("third").doesNotContain("second");
    assertThat(revs(60, 64)).containsExactly(64L);
  }

  @Test
  void aSecondEditLeavesAHoleForTheFirst() {
    add(sent(1, 2));
    add(edited(1, 5, "second"));
    add(edited(1, 6, "third"));
    assertThat(content()).contains("third").doesNotContain("second", "first of 1");
    assertThat(revs(2, 6)).containsExactly(6L);
    add(sent(5, 6));
    assertThat(revs(2, 8)).isEqualTo(range(6, 8));
  }

  @Test
  void anEditWithoutItsMessageHidesWhatStandsBeforeIt() {
    add(sent(1, 3));
    add(List.of(edited(2, 6, "second").getLast()));
    assertThat(revs(2, 6)).containsExactly(6L);
    add(sent(2, 3));
    assertThat(revs(2, 6)).containsExactly(6L);
    add(sent(5, 6));
    assertThat(revs(2, 8)).isEqualTo(range(6, 8));
  }

  @Test
  void aMessageThatIsToldLateInALaterStateIsThatState() {
    add(sent(1, 3));
    add(List.of(edited(2, 6, "second").getFirst()));
    assertThat(content()).doesNotContain("first of 2").contains("second");
    assertThat(revs(2, 5)).isEqualTo(range(3, 5));
  }

  @Test
  void aDeletionLeavesNoTextWhateverTheOrder() {
    List<List<Event>> calls =
        new ArrayList<>(
            List.of(
                List.of(sent(1)), edited(1, 4, "second"), edited(1, 5, "third"), deleted(1, 6)));
    for (int seed = 0; seed < 24; seed++) {
      anotherRoom();
      Collections.shuffle(calls, new Random(seed));
      add(List.of(joined(1), joined(2)));
      calls.forEach(events -> add(ofThisRoom(events)));
      assertThat(content())
          .as("seed %d", seed)
          .contains("message.deleted")
          .doesNotContain("first", "second", "third");
      assertThat(revs(0, 6)).as("seed %d", seed).containsExactly(6L);
    }
  }

  private List<Event> ofThisRoom(List<Event> events) {
    return events.stream()
        .map(e -> new Event(room, e.epoch(), e.rev(), e.subject(), e.frame()))
        .toList();
  }

  /// Whatever is announced in whatever order: what is read is what the database would say.
  @RepeatedTest(30)
  void whatIsReadIsThePresentStateWhateverTheOrder(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<List<Event>> calls = new ArrayList<>();
    long[] versions = new long[16];
    long rev = 0;
    for (long seq = 1; seq <= 10; seq++) {
      rev = seq;
      versions[(int) seq] = rev;
      calls.add(List.of(state(seq, rev, rev)));
    }
    for (int i = 0; i < 6; i++) {
      long seq = 1L + random.nextInt(10);
      versions[(int) seq] = ++rev;
      calls.add(List.of(state(seq, seq, rev), change(seq, rev)));
    }
    Collections.shuffle(calls, random);
    int together = random.nextInt(calls.size() + 1);
    addAll(calls.subList(0, together));
    calls.subList(together, calls.size()).forEach(this::add);
    long head = rev;
    for (long after = 0; after < head; after++) {
      List<Event> events = read(after, head);
      assertThat(events).isNotEmpty();
      for (Event event : events) {
        Event.AboutMessage about = (Event.AboutMessage) event.subject();
        assertThat(about.version().value()).isEqualTo(versions[(int) about.seq().value()]);
      }
    }
    assertThat(held()).isLessThanOrEqualTo(head);
  }

  private Event state(long seq, long rev, long version) {
    return new Event(
        room,
        EPOCH,
        new Rev(rev),
        new Event.OfMessage(new Seq(seq), new Rev(version)),
        ("state " + seq + " at " + version).getBytes(UTF_8));
  }

  private Event change(long seq, long rev) {
    return new Event(
        room,
        EPOCH,
        new Rev(rev),
        new Event.OfChange(new Seq(seq), new Rev(rev), true),
        ("change " + seq + " at " + rev).getBytes(UTF_8));
  }

  @Test
  void aRepetitionChangesNothing() {
    add(sent(1, 3));
    add(edited(2, 6, "second"));
    add(sent(1, 3));
    add(edited(2, 6, "second"));
    add(List.of(joined(7)));
    add(List.of(joined(7)));
    assertThat(revs(2, 7)).isEqualTo(range(3, 7));
    add(List.of(StoredChange.archived().event(stamp(7, EPOCH))));
    assertThat(revs(2, 7)).isEqualTo(range(3, 7));
    assertThat(held()).isEqualTo(5);
  }

  @Test
  void onlyTheNewestStayAndNothingOlderComesBack() {
    add(sent(1, SIZE));
    assertThat(revs(0, SIZE + 2)).isEqualTo(range(3, SIZE + 2));
    add(sent(SIZE + 1, SIZE + 1));
    assertThat(revs(0, SIZE + 3)).isEqualTo(range(4, SIZE + 3));
    add(edited(SIZE, SIZE + 4, "second"));
    add(edited(SIZE, SIZE + 5, "third"));
    add(sent(1, 2));
    assertThat(content()).doesNotContain("first of 1\"", "first of 2\"");
    assertThat(held()).isLessThanOrEqualTo(SIZE);
  }

  @Test
  void moreThanFitsAtOnceIsCutToTheNewest() {
    add(sent(1, 3L * SIZE));
    assertThat(revs(0, 3L * SIZE + 2)).isEqualTo(range(2L * SIZE + 3, 3L * SIZE + 2));
  }

  @Test
  void itEndsSomeTimeAfterTheLastWrite() {
    add(sent(1, 1));
    assertThat(send(Command.PTTL).toLong()).isBetween(1L, 600_000L);
    send(Command.PEXPIRE, "100000");
    add(sent(2, 2));
    assertThat(send(Command.PTTL).toLong()).isGreaterThan(100_000L);
  }

  @Test
  void anotherEpochIsNotRead() {
    add(sent(1, 3));
    assertThat(window.read(room, span(2, 5), new Epoch(4)).await()).isEmpty();
  }

  @Test
  void eachEpochHasAWindowOfItsOwn() {
    add(sent(1, 10));
    add(List.of(joined(8, new Epoch(4))));
    add(sent(6, 11));
    assertThat(window.read(room, span(0, 8), new Epoch(4)).await()).hasSize(1);
    assertThat(revs(2, 13)).isEqualTo(range(3, 13));
  }

  @Test
  void aForgedEntryIsAHole() {
    add(sent(1, 3));
    byte[] forged = new PublicationCodec(new byte[] {1}).seal(sent(2)).bytes();
    put(4, Buffer.buffer(forged));
    assertThat(revs(2, 5)).containsExactly(5L);
    put(4, Buffer.buffer());
    assertThat(revs(2, 5)).containsExactly(5L);
  }

  @Test
  void anEntryUnderTheRevOfAnotherIsNotRead() {
    add(sent(1, 3));
    put(4, Buffer.buffer(codec.seal(sent(1)).bytes()));
    assertThat(revs(2, 5)).containsExactly(5L);
  }

  @Test
  void anEntryOfAnotherRoomIsAHole() {
    Buffer entry = Buffer.buffer(codec.seal(sent(1)).bytes());
    anotherRoom();
    put(3, entry);
    assertThat(revs(2, 3)).isEmpty();
  }

  @Test
  void aWindowThatCannotBeReadBeginsAnew() {
    send(Command.HSET, "high", "what is this", "900", "nor this");
    add(sent(1, 3));
    assertThat(revs(2, 5)).isEqualTo(range(3, 5));
    assertThat(held()).isEqualTo(3);
  }

  @Test
  void withoutRedisNothingIsReadAndNothingFails() {
    redis.kill();
    await().until(() -> !commands.isUp());
    add(sent(1, 3));
    assertThat(revs(2, 5)).isEmpty();
    redis.startAgain();
    awaitRedis();
    assertThat(revs(2, 5)).isEmpty();
    add(sent(1, 3)); // the script is not known there any more
    await().until(() -> revs(2, 5).size() == 3);
  }
}
