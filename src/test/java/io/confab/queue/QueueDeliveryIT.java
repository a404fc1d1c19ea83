package io.confab.queue;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.confab.message.Chat;
import io.confab.metrics.Meters;
import io.confab.postgres.BatchedRead;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.queue.QueueCommand.AckQueue;
import io.confab.queue.QueueCommand.Acknowledged;
import io.confab.queue.QueueCommand.OpenQueue;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.ReadQueue;
import io.confab.queue.QueueCommand.RejectEnvelope;
import io.confab.queue.QueueCommand.Waiting;
import io.confab.queue.QueueStore.Ack;
import io.confab.queue.QueueStore.Acked;
import io.confab.queue.QueueStore.From;
import io.confab.queue.QueueStore.OpenedQueue;
import io.confab.queue.QueueStore.Page;
import io.confab.queue.QueueStore.Run;
import io.confab.queue.WakeStore.Claimed;
import io.confab.queue.WakeStore.Wake;
import io.confab.testing.RecordingAnnouncer;
import io.confab.testing.TestConfig;
import io.confab.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What devices read and acknowledge, by real SQL.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueDeliveryIT {
  private final SealedWorld world;
  private final EnvelopeStore sends;
  private final QueueStore store;
  private final QueueWatch watch;
  private final QueueHandler handler;
  private final RecordingAnnouncer announcer = new RecordingAnnouncer();
  private final List<Long> back = new ArrayList<>();

  private Epoch epoch = new Epoch(1);

  /// Accounts of a test are its own.
  private long next = 1;

  QueueDeliveryIT(Vertx vertx) {
    this.world = new SealedWorld(vertx);
    this.sends = world.store();
    this.store = new QueueStore(world.database());
    this.watch = new QueueWatch(vertx, world.database(), announcer, new Meters());
    this.handler =
        QueueHandler.of(
            world.database(),
            announcer,
            BatchedRead.Pace.NONE,
            watch::expireSome,
            (_, version) -> back.add(version),
            new Meters());
  }

  @AfterEach
  void invariantsHold() {
    world.assertInvariants();
  }

  @AfterAll
  void close() {
    world.close();
  }

  private long accounts(int count) {
    next += count;
    return next - count;
  }

  private static Caller device(long account, String device) {
    return new Caller(new AccountId(account), new DeviceId(device));
  }

  private Opened open(long account, String device) {
    return (Opened) get(handler.handle(new OpenQueue(device(account, device))));
  }

  private QueuePage read(long account, RegistrationId registration, long after) {
    return (QueuePage)
        get(
            handler.handle(
                new ReadQueue(new AccountId(account), registration, new QueueSeq(after))));
  }

  private QueueSeq ack(long account, RegistrationId registration, long upTo) {
    return ((Acknowledged)
            get(
                handler.handle(
                    new AckQueue(new AccountId(account), registration, new QueueSeq(upTo), epoch))))
        .gone();
  }

  private void say(long room, long account, String... payloads) {
    for (String payload : payloads) {
      get(sends.append(List.of(world.sending(room, account, "d1", "c" + payload).saying(payload))));
    }
  }

  private static JsonObject frame(Waiting envelope) {
    return new JsonObject(EnvelopeFrames.text(envelope.head(), envelope.tail()));
  }

  private static List<String> payloads(QueuePage page) {
    return page.envelopes().stream().map(each -> frame(each).getString("payload")).toList();
  }

  @Test
  void aDeviceGetsWhatWaitsForItAndEmptiesItsQueue() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one", "two", "three");
    Opened opened = open(a + 1, "d1");
    assertThat(opened.gone()).isEqualTo(new QueueSeq(0));
    assertThat(opened.last()).isEqualTo(new QueueSeq(3));
    QueuePage page = read(a + 1, opened.registration(), 0);
    assertThat(payloads(page)).containsExactly("one", "two", "three");
    JsonObject first = frame(page.envelopes().getFirst());
    assertThat(first.getString("type")).isEqualTo("envelope.receive");
    assertThat(first.getLong("queue_seq")).isEqualTo(1);
    assertThat(first.getLong("seq")).isEqualTo(1);
    assertThat(first.getString("sender_device_id")).isEqualTo("d1");
    assertThat(page.epoch()).isEqualTo(opened.epoch());

    assertThat(ack(a + 1, opened.registration(), 2)).isEqualTo(new QueueSeq(2));
    assertThat(payloads(read(a + 1, opened.registration(), 0))).containsExactly("three");
    assertThat(ack(a + 1, opened.registration(), 1))
        .as("it does not go back")
        .isEqualTo(new QueueSeq(2));
    assertThat(ack(a + 1, opened.registration(), 99)).as("cut").isEqualTo(new QueueSeq(3));
    assertThat(read(a + 1, opened.registration(), 3).envelopes()).isEmpty();
    assertThat(world.spans(room, a + 1)).isEqualTo("1-3");
  }

  @Test
  void whatArrivedIsToldToTheRoomOnceItIsStored() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    world
        .postgres()
        .execute("UPDATE account SET presence_visible_to = 'nobody' WHERE account_id = " + (a + 2));
    say(room, a, "x", "y");
    ack(a + 2, open(a + 2, "d1").registration(), 2);
    ack(a + 1, open(a + 1, "d1").registration(), 2);
    await().untilAsserted(() -> assertThat(markers(room)).containsExactly("1-2 of " + (a + 1)));
  }

  @Test
  void aboveThirtyTwoMembersNobodyIsToldWhatArrived() {
    long a = accounts(33);
    Run small = run(world.room(a, a + 31, 1), a + 1);
    Run large = run(world.room(a, a + 32, 1), a + 1);
    assertThat(get(store.audience(List.of(small, large)))).containsOnlyKeys(small);
  }

  private static Run run(long room, long account) {
    return new Run(new AccountId(account), new RoomId(room), new Seq(1), new Seq(1));
  }

  @Test
  void whoLeftShowsWhatArrivedToNobodyWhoMayNotSeeWhetherItIsThere() {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    say(room, a, "x");
    world.leave(room, a + 2);
    ack(a + 2, open(a + 2, "d1").registration(), 1);
    await().untilAsserted(() -> assertThat(markers(room)).containsExactly("1-1 of " + (a + 2)));
    assertThat(
            announcer.roomSignals.stream()
                .filter(signal -> signal.room().value() == room)
                .flatMap(signal -> signal.hiddenFrom().stream()))
        .as("nobody shares a room with it")
        .containsExactlyInAnyOrder(new AccountId(a), new AccountId(a + 1));
  }

  private List<String> markers(long room) {
    return announcer.roomSignals.stream()
        .filter(signal -> signal.room().value() == room)
        .map(signal -> new JsonObject(new String(signal.frame(), StandardCharsets.UTF_8)))
        .map(
            marker ->
                marker.getLong("delivered_from")
                    + "-"
                    + marker.getLong("delivered_seq")
                    + " of "
                    + AccountId.parse(marker.getString("account_id")).value())
        .toList();
  }

  @Test
  void devicesThatComeTogetherAreReadInFewStatements() {
    int devices = 100;
    long a = accounts(devices + 1);
    long room = world.room(a, a + devices, 1);
    say(room, a, "hello");
    AtomicInteger openings = new AtomicInteger();
    AtomicInteger pages = new AtomicInteger();
    Promise<Void> allOpen = Promise.promise();
    Promise<Void> allRead = Promise.promise();
    QueueReads reads =
        new QueueReads(
            new QueueReads.Statements(
                asked -> count(openings, allOpen.future().compose(_ -> store.open(asked))),
                asked ->
                    count(pages, allRead.future().compose(_ -> store.read(asked, 100, 64_000))),
                Future::succeededFuture),
            (_, _) -> {});
    List<Future<Opened>> opened =
        LongStream.rangeClosed(a + 1, a + devices)
            .mapToObj(account -> reads.open(device(account, "d1")))
            .toList();
    allOpen.complete();
    get(Future.all(opened));
    assertThat(openings.get()).isLessThanOrEqualTo(1 + devices / QueueReads.AT_ONCE);
    List<Future<QueuePage>> read =
        opened.stream()
            .map(each -> reads.read(each.result().registration(), each.result().gone()))
            .toList();
    allRead.complete();
    get(Future.all(read));
    assertThat(pages.get()).isLessThanOrEqualTo(1 + devices / QueueReads.AT_ONCE);
    assertThat(read)
        .allSatisfy(each -> assertThat(payloads(each.result())).containsExactly("hello"));
    Waiting one = read.get(10).result().envelopes().getFirst();
    Waiting other = read.get(11).result().envelopes().getFirst();
    assertThat(one.tail()).as("made once").isSameAs(other.tail());
  }

  private static <T> Future<T> count(AtomicInteger statements, Future<T> answer) {
    statements.incrementAndGet();
    return answer;
  }

  @Test
  void aPageHasNoMoreThanItMay() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, IntStream.range(0, 5).mapToObj(i -> i + "p".repeat(1_000)).toArray(String[]::new));
    From place = new From(open(a + 1, "d1").registration(), new QueueSeq(0));
    assertThat(page(place, 2, 64_000).page().envelopes()).hasSize(2);
    Page page = page(place, 100, 1_500);
    assertThat(page.page().envelopes()).hasSize(2);
    assertThat(page.page().last()).isEqualTo(new QueueSeq(5));
  }

  private Page page(From place, int most, long bytes) {
    Map<From, Page> pages = get(store.read(List.of(place), most, bytes));
    return Objects.requireNonNull(pages.get(place));
  }

  @Test
  void whatIsOverIsToldAsGoneUnderItsNumber() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    EnvelopeStore brief =
        world.store(TestConfig.queues(100, Duration.ofMillis(1), Duration.ofDays(1)));
    get(brief.append(List.of(world.sending(room, a, "d1", "brief").saying("brief"))));
    say(room, a, "lasting");
    Opened opened = open(a + 1, "d1");
    QueuePage page = read(a + 1, opened.registration(), 0);
    assertThat(page.envelopes()).hasSize(2);
    JsonObject gone = frame(page.envelopes().getFirst());
    assertThat(gone.getLong("queue_seq")).isEqualTo(1);
    assertThat(gone.getBoolean("gone")).isTrue();
    assertThat(gone.containsKey("payload")).isFalse();
    assertThat(frame(page.envelopes().get(1)).getString("payload")).isEqualTo("lasting");
  }

  @Test
  void whatCannotBeReadBlocksNobody() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "bad", "good");
    Opened opened = open(a + 1, "d1");
    RejectEnvelope reject =
        new RejectEnvelope(
            new AccountId(a + 1), opened.registration(), new QueueSeq(1), "no_session", epoch);
    get(handler.handle(reject));
    get(handler.handle(reject));
    QueuePage page = read(a + 1, opened.registration(), 0);
    assertThat(frame(page.envelopes().getFirst()).getBoolean("gone")).isTrue();
    assertThat(payloads(page)).containsExactly(null, "good");
    assertThat(world.failures(room)).isEqualTo((a + 1) + ":1:undecryptable");
    assertThat(
            world
                .postgres()
                .count("SELECT count(*) FROM dead_letter WHERE account_id = " + (a + 1)))
        .isEqualTo(1);
  }

  @Test
  void aDeviceWithoutKeysHasNoQueueAndARemovedOneGetsNothing() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "x");
    assertThatThrownBy(() -> open(a + 1, "none")).hasMessageContaining("no keys");
    Opened opened = open(a + 1, "d1");
    world.removeDevice(a + 1, "d1");
    assertThatThrownBy(() -> read(a + 1, opened.registration(), 0))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("removed");
    assertThatThrownBy(() -> ack(a + 1, opened.registration(), 1))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("removed");
    assertThatThrownBy(() -> open(a + 1, "d1")).isInstanceOf(Refusal.class);
  }

  @Test
  void aDormantDeviceThatComesIsATargetAgain() {
    long a = accounts(2);
    world.room(a, a + 1, 1);
    world
        .postgres()
        .execute("UPDATE device_queue SET dormant = true WHERE account_id = " + (a + 1));
    open(a + 1, "d1");
    assertThat(back).hasSize(1);
    open(a + 1, "d1");
    assertThat(back).hasSize(1);
  }

  @Test
  void whoStillWaitsIsWokenOnceUntilItsQueueWasEmpty() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one", "two");
    RegistrationId phone = open(a + 1, "d1").registration();
    WakeStore wakes = new WakeStore(world.database(), Duration.ZERO);
    List<Wake> due = get(wakes.claim(Set.of(phone), List.of())).due();
    assertThat(due).extracting(Wake::device).containsExactly(device(a + 1, "d1"));
    assertThat(get(wakes.claim(Set.of(), due))).isEqualTo(new Claimed(List.of(), Map.of()));
    for (int i = 0; i < 10; i++) {
      open(a + 1, "d1");
      assertThat(get(wakes.claim(Set.of(phone), List.of())))
          .isEqualTo(new Claimed(List.of(), Map.of()));
    }
    ack(a + 1, phone, 1);
    assertThat(get(wakes.claim(Set.of(phone), List.of())).due()).as("it was woken").isEmpty();
    ack(a + 1, phone, 2);
    assertThat(get(wakes.claim(Set.of(phone), List.of())))
        .as("nothing waits")
        .isEqualTo(new Claimed(List.of(), Map.of()));
    say(room, a, "three");
    assertThat(get(wakes.claim(Set.of(phone), due)).due()).hasSize(1);
  }

  @Test
  void whoOpensIsToldOfTheSealedRoomsOfTheAccount() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    long other = world.room(a, a + 1, 1);
    long plain = 1_000_000 + a;
    world.postgres().execute(Chat.room(plain, "group", a, a + 1));
    assertThat(open(a + 1, "d1").rooms())
        .containsExactlyInAnyOrder(new RoomId(room), new RoomId(other));
  }

  @Test
  void aClaimOfWhichNobodyHasHeardIsOverSoon() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one");
    RegistrationId phone = open(a + 1, "d1").registration();
    WakeStore wakes = new WakeStore(world.database(), Duration.ZERO);
    String over = "UPDATE device_queue SET woken_until = now() WHERE registration_id = " + phone;
    List<Wake> unheard = new ArrayList<>();
    await() // it lasts for seconds, and a machine may stand still for as long
        .untilAsserted(
            () -> {
              world.postgres().execute(over);
              unheard.addAll(get(wakes.claim(Set.of(phone), List.of())).due());
              Claimed second = get(wakes.claim(Set.of(phone), List.of()));
              assertThat(second.due()).isEmpty();
              assertThat(second.later().get(phone)).isBetween(Duration.ZERO, Duration.ofSeconds(5));
              assertThat(get(wakes.forgotten(Duration.ZERO, 1_000))).doesNotContain(phone);
            });
    world.postgres().execute(over);
    assertThat(get(wakes.forgotten(Duration.ZERO, 1_000))).contains(phone);
    List<Wake> again = get(wakes.claim(Set.of(phone), unheard)).due();
    assertThat(again).hasSize(1);
    get(wakes.claim(Set.of(), again));
    assertThat(get(wakes.forgotten(Duration.ZERO, 1_000))).doesNotContain(phone);
  }

  @Test
  void whoHasComeForAPartIsWokenLaterForTheRest() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one", "two");
    RegistrationId phone = open(a + 1, "d1").registration();
    world
        .postgres()
        .execute(
            "UPDATE device_queue SET waits_since = now() - interval '1 h' WHERE registration_id = "
                + phone);
    ack(a + 1, phone, 1);
    WakeStore wakes = new WakeStore(world.database(), Duration.ofMinutes(1));
    Claimed claimed = get(wakes.claim(Set.of(phone), List.of()));
    assertThat(claimed.due()).isEmpty();
    assertThat(claimed.later().get(phone)).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
    assertThat(
            get(new WakeStore(world.database(), Duration.ZERO).claim(Set.of(phone), List.of()))
                .due())
        .hasSize(1);
  }

  @Test
  void manyDevicesAcknowledgeInOneCall() {
    int devices = 200;
    long a = accounts(devices + 1);
    long room = world.room(a, a + devices, 1);
    say(room, a, "x", "y");
    AtomicInteger calls = new AtomicInteger();
    Promise<Void> allSaid = Promise.promise();
    AckWriter writer =
        new AckWriter(
            (acks, waits) -> count(calls, allSaid.future().compose(_ -> store.ack(acks, waits))),
            _ -> {},
            BatchedRead.Pace.NONE);
    List<RegistrationId> registrations =
        LongStream.rangeClosed(a + 1, a + devices)
            .mapToObj(account -> new RegistrationId(world.registration(account, "d1")))
            .toList();
    List<Future<QueueSeq>> acks =
        registrations.stream()
            .map(registration -> writer.ack(registration, new Ack(new QueueSeq(2), epoch)))
            .toList();
    allSaid.complete();
    get(Future.all(acks));
    assertThat(calls.get()).isLessThanOrEqualTo(2);
    assertThat(
            world
                .postgres()
                .count(
                    "SELECT count(*) FROM delivery_span"
                        + " WHERE from_seq = 1 AND to_seq = 2 AND room_id = "
                        + room))
        .isEqualTo(devices);
    TreeMap<RegistrationId, Ack> ofNobody =
        new TreeMap<>(Map.of(new RegistrationId(-1), new Ack(new QueueSeq(1), epoch)));
    assertThat(get(store.ack(ofNobody, false)).gone()).isEmpty();
  }

  @Test
  void twoThatOpenTheSameQueueShareAQuestion() {
    long a = accounts(1);
    world.room(a, a, 1);
    Map<Caller, OpenedQueue> opened = get(store.open(List.of(device(a, "d1"))));
    assertThat(opened).hasSize(1);
  }

  @Test
  void nothingIsAcknowledgedByANumberOfAnotherEpoch() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one", "two");
    RegistrationId phone = open(a + 1, "d1").registration();
    epoch = new Epoch(7);
    assertThatThrownBy(() -> ack(a + 1, phone, 2))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("epoch");
    assertThatThrownBy(
            () ->
                get(
                    handler.handle(
                        new RejectEnvelope(
                            new AccountId(a + 1), phone, new QueueSeq(1), "r", epoch))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("epoch");
    epoch = new Epoch(1);
    assertThat(payloads(read(a + 1, phone, 0))).containsExactly("one", "two");
    assertThat(ack(a + 1, phone, 2)).isEqualTo(new QueueSeq(2));
  }

  @Test
  void aQueueThatSomebodyHasLockedIsNotWaitedForByOthers() throws SQLException {
    long a = accounts(3);
    long room = world.room(a, a + 2, 1);
    say(room, a, "one");
    RegistrationId locked = open(a + 1, "d1").registration();
    RegistrationId free = open(a + 2, "d1").registration();
    TreeMap<RegistrationId, Ack> acks = new TreeMap<>();
    acks.put(locked, new Ack(new QueueSeq(1), epoch));
    acks.put(free, new Ack(new QueueSeq(1), epoch));
    WakeStore wakes = new WakeStore(world.database(), Duration.ZERO);
    List<Wake> due = get(wakes.claim(Set.of(locked), List.of())).due();
    assertThat(due).hasSize(1);
    try (Connection other = TestDatabase.connect(world.postgres().url())) {
      other.setAutoCommit(false);
      try (Statement lock = other.createStatement()) {
        lock.execute("SELECT FROM device_queue WHERE registration_id = " + locked + " FOR UPDATE");
      }
      Acked acked = get(store.ack(acks, false));
      assertThat(acked.busy()).containsExactly(locked);
      assertThat(acked.gone()).isEqualTo(Map.of(free, new QueueSeq(1)));
      Claimed claimed = get(wakes.claim(Set.of(), due));
      assertThat(claimed).isEqualTo(new Claimed(List.of(), Map.of(locked, Duration.ZERO)));
      assertThat(get(wakes.claim(Set.of(locked), List.of()))).isEqualTo(claimed);
      other.rollback();
    }
    assertThat(get(store.ack(acks, true)).busy()).isEmpty();
  }

  @Test
  void whoComesIsNotMadeDormantForWhatWaitedUntilThen() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    say(room, a, "one");
    String waiting =
        "UPDATE device_queue SET waits_since = now() - interval '31 d' WHERE account_id = ";
    world.postgres().execute(waiting + (a + 1));
    open(a + 1, "d1");
    String dormant = "SELECT count(*) FROM make_dormant(%d, 100) WHERE account_id = %d";
    long month = Duration.ofDays(30).toMillis();
    assertThat(world.postgres().count(dormant.formatted(month, a + 1))).isZero();
    world.postgres().execute(waiting + (a + 1));
    assertThat(world.postgres().count(dormant.formatted(month, a + 1))).isEqualTo(1);
  }

  /// Lengthens what was claimed: a machine may stand still for longer than it lasts.
  private Future<Claimed> forAnHour(Claimed claimed) {
    List<Wake> due =
        claimed.due().stream()
            .map(wake -> new Wake(wake.registration(), wake.device(), wake.until().plusHours(1)))
            .toList();
    return Future.all(
            due.stream()
                .map(
                    wake ->
                        world
                            .database()
                            .client()
                            .query(
                                "UPDATE device_queue SET woken_until = woken_until + interval '1 h'"
                                    + " WHERE registration_id = "
                                    + wake.registration())
                            .execute())
                .toList())
        .map(new Claimed(due, claimed.later()));
  }

  @Test
  void aThousandEnvelopesWakeASleeperOnceHoweverOftenItComesAndAcknowledgesNothing() {
    long a = accounts(2);
    long room = world.room(a, a + 1, 1);
    List<Caller> woken = new ArrayList<>();
    AtomicLong nanos = new AtomicLong();
    WakeStore claims = new WakeStore(world.database(), Duration.ZERO);
    WakeWatch wakes =
        new WakeWatch(
            Duration.ofSeconds(3),
            (waiting, told) -> claims.claim(waiting, told).compose(this::forAnHour),
            woken::add,
            nanos::get);
    RegistrationId phone = open(a + 1, "d1").registration();
    for (int group = 0; group < 100; group++) {
      List<EnvelopeDraft> drafts = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        drafts.add(world.sending(room, a, "d1", "w" + group + "-" + i).saying("w"));
      }
      get(sends.append(drafts))
          .forEach(outcome -> wakes.queued(((EnvelopeOutcome.Stored) outcome).queued()));
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      wakes.tick();
      open(a + 1, "d1");
      read(a + 1, phone, 0);
    }
    await().until(() -> !woken.isEmpty());
    ack(a + 1, phone, 999);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    wakes.tick();
    assertThat(get(claims.forgotten(Duration.ZERO, 1_000)))
        .as("something still waits for which it was woken")
        .doesNotContain(phone);
    assertThat(woken).containsExactly(device(a + 1, "d1"));
  }
}
