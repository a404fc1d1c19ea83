package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.Waiting;
import io.confab.queue.QueueStore.From;
import io.confab.queue.QueueStore.OpenedQueue;
import io.confab.queue.QueueStore.Page;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueReadsTest {
  private static final Epoch EPOCH = new Epoch(1);
  private static final RegistrationId PHONE = new RegistrationId(5);
  private static final QueueSeq NONE = new QueueSeq(0);

  private final List<List<Caller>> openings = new ArrayList<>();
  private final List<List<From>> reads = new ArrayList<>();
  private final List<Promise<Void>> gates = new ArrayList<>();
  private final List<Long> back = new ArrayList<>();
  private boolean waits;
  private boolean hasKeys = true;
  private @Nullable Long version;

  /// Whether the first envelope is due and was not ended, and whether this node can end it.
  private boolean due;

  private boolean ends = true;
  private int expiries;

  private final QueueReads reader =
      new QueueReads(
          new QueueReads.Statements(this::open, this::read, this::expire),
          (_, raised) -> back.add(raised));

  private Future<Void> gate() {
    Promise<Void> gate = Promise.promise();
    gates.add(gate);
    if (!waits) {
      gate.complete();
    }
    return gate.future();
  }

  private Future<Map<Caller, OpenedQueue>> open(List<Caller> devices) {
    openings.add(devices);
    Map<Caller, OpenedQueue> opened = new HashMap<>();
    if (hasKeys) {
      devices.forEach(
          device ->
              opened.put(
                  device,
                  new OpenedQueue(
                      new Opened(
                          EPOCH,
                          new RegistrationId(device.account().value()),
                          NONE,
                          NONE,
                          0,
                          false,
                          List.of()),
                      version)));
    }
    return gate().map(opened);
  }

  private Future<Map<From, Page>> read(List<From> places) {
    reads.add(places);
    Map<From, Page> pages = new HashMap<>();
    if (hasKeys) {
      places.forEach(
          place ->
              pages.put(
                  place,
                  new Page(
                      new QueuePage(EPOCH, NONE, new QueueSeq(1), due ? List.of() : one()), due)));
    }
    return gate().map(pages);
  }

  private static List<Waiting> one() {
    return List.of(new Waiting(new QueueSeq(1), new byte[0], new byte[0]));
  }

  private Future<Void> expire() {
    expiries++;
    due = due && !ends;
    return gate();
  }

  private static Caller device(long account) {
    return new Caller(new AccountId(account), new DeviceId("d"));
  }

  private static ErrorCode code(Future<?> refused) {
    return ((Refusal) refused.cause()).code();
  }

  @Test
  void fiftyThatComeTogetherShareAStatement() {
    waits = true;
    List<Future<Opened>> opened =
        LongStream.rangeClosed(1, 101).mapToObj(account -> reader.open(device(account))).toList();
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).complete();
    }
    assertThat(openings).extracting(List::size).containsExactly(1, 50, 50);
    assertThat(opened).allMatch(Future::succeeded);
    gates.clear();
    List<Future<QueuePage>> pages =
        LongStream.rangeClosed(1, 101)
            .mapToObj(registration -> reader.read(new RegistrationId(registration), NONE))
            .toList();
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).complete();
    }
    assertThat(reads).extracting(List::size).containsExactly(1, 50, 50);
    assertThat(pages).allMatch(Future::succeeded);
  }

  @Test
  void whatIsDueIsEndedBeforeItIsTold() {
    due = true;
    Future<QueuePage> page = reader.read(PHONE, NONE);
    assertThat(expiries).isEqualTo(1);
    assertThat(page.result().envelopes()).hasSize(1);
    assertThat(reads).hasSize(2);
  }

  @Test
  void whoFindSomethingDueAtTheSameTimeShareItsEnd() {
    due = true;
    waits = true;
    List<Future<QueuePage>> pages =
        LongStream.rangeClosed(1, 10)
            .mapToObj(each -> reader.read(new RegistrationId(each), NONE))
            .toList();
    for (int i = 0; i < gates.size(); i++) {
      gates.get(i).complete();
    }
    assertThat(pages).allMatch(Future::succeeded);
    assertThat(expiries).isLessThanOrEqualTo(2);
  }

  @Test
  void whileAnotherNodeEndsItThereIsNothingToTell() {
    due = true;
    ends = false;
    assertThat(reader.read(PHONE, NONE).result().envelopes()).isEmpty();
    assertThat(expiries).isEqualTo(1);
  }

  @Test
  void aDeviceThatIsATargetAgainIsToldOf() {
    reader.open(device(1));
    assertThat(back).isEmpty();
    version = 7L;
    reader.open(device(1));
    assertThat(back).containsExactly(7L);
  }

  @Test
  void withoutKeysThereIsNoQueue() {
    hasKeys = false;
    assertThat(code(reader.open(device(1)))).isEqualTo(ErrorCode.CONFLICT);
    assertThat(code(reader.read(PHONE, NONE))).isEqualTo(ErrorCode.NOT_FOUND);
  }
}
