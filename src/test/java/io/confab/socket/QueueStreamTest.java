package io.confab.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.feed.QueuedSend;
import io.confab.protocol.EnvelopeFrames;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.ServerFrame.QueueEmpty;
import io.confab.queue.QueueCommand.Opened;
import io.confab.queue.QueueCommand.QueuePage;
import io.confab.queue.QueueCommand.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueStreamTest {
  private static final Epoch EPOCH = new Epoch(1);
  private static final RegistrationId PHONE = new RegistrationId(5);
  private static final Pattern NUMBER = Pattern.compile("\"queue_seq\":(\\d+)");
  private static final int PAGE = 10;
  private static final byte[] TAIL =
      (",\"epoch\":1,\"sender_id\":\"7\",\"sender_device_id\":\"d\",\"client_id\":\"c\","
              + "\"ts\":1,\"payload\":\"p\"}")
          .getBytes(StandardCharsets.UTF_8);

  private final FakeOutbound out = new FakeOutbound();
  private final List<Runnable> timers = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final Deque<QueueStream> behind = new ArrayDeque<>();
  private final List<DeliveryWay> ways = new ArrayList<>();
  private final List<QueueSeq> reads = new ArrayList<>();
  private int drained;

  /// What the database has: from `gone` to `last`.
  private long gone;

  private long last;
  private Epoch epoch = EPOCH;
  private boolean removed;

  /// What comes next is over, and not gone yet.
  private boolean ending;

  private boolean away;

  /// Pages that are read and not answered yet, if the test wants to hold them.
  private boolean holds;

  private final Deque<Runnable> pages = new ArrayDeque<>();

  private QueueStream open(long after, int most) {
    QueueStream stream =
        new QueueStream(
            new QueueStream.Opening(
                new Opened(
                    EPOCH, PHONE, new QueueSeq(gone), new QueueSeq(last), 40, false, List.of()),
                new QueueSeq(after),
                most),
            out,
            new Owner(),
            (pause, action) -> {
              pauses.add(pause);
              timers.add(action);
            });
    stream.begin();
    return stream;
  }

  private final class Owner implements QueueStream.Owner {
    @Override
    public Future<QueuePage> read(QueueSeq after) {
      reads.add(after);
      if (away) {
        return Future.failedFuture(Refusal.unavailable("the database is away"));
      }
      if (removed) {
        return Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "the device was removed"));
      }
      QueuePage page = page(after);
      if (!holds) {
        return Future.succeededFuture(page);
      }
      Promise<QueuePage> answer = Promise.promise();
      pages.add(() -> answer.complete(page));
      return answer.future();
    }

    private QueuePage page(QueueSeq after) {
      long from = Math.max(after.value(), gone) + 1;
      List<Waiting> waiting =
          LongStream.rangeClosed(from, ending ? 0 : Math.min(last, from + PAGE - 1))
              .mapToObj(QueueSeq::new)
              .map(seq -> new Waiting(seq, EnvelopeFrames.head(seq, "b"), TAIL))
              .toList();
      return new QueuePage(epoch, new QueueSeq(gone), new QueueSeq(last), waiting);
    }

    @Override
    public void behind(QueueStream stream) {
      behind.add(stream);
    }

    @Override
    public boolean isCurrent(Epoch read) {
      return read.equals(EPOCH);
    }

    @Override
    public void sent(DeliveryWay way) {
      ways.add(way);
    }

    @Override
    public void drained() {
      drained++;
    }
  }

  private static QueuedSend.Place place(long seq) {
    return new QueuedSend.Place(PHONE, new QueueSeq(seq), false, "b");
  }

  private void say(QueueStream stream) {
    last++;
    stream.queued(place(last), TAIL);
  }

  private void catchUp() {
    for (QueueStream next = behind.poll(); next != null; next = behind.poll()) {
      QueueStream stream = next;
      stream
          .catchUp()
          .onSuccess(
              done -> {
                if (!done) {
                  behind.add(stream);
                }
              })
          .onFailure(_ -> behind.add(stream));
      if (holds || away || out.isFull()) {
        return;
      }
    }
  }

  private void fireTimers() {
    List<Runnable> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Runnable::run);
  }

  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (Object sent : out.sent) {
      if (sent instanceof String frame) {
        Matcher matcher = NUMBER.matcher(frame);
        assertThat(matcher.find()).isTrue();
        numbers.add(Long.parseLong(matcher.group(1)));
      }
    }
    return numbers;
  }

  private static List<Long> upTo(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private List<Object> empties() {
    return out.sent.stream().filter(QueueEmpty.class::isInstance).toList();
  }

  @Test
  void whatWaitedComesFirstAndThenWhatIsSaid() {
    last = 25;
    QueueStream stream = open(0, 256);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 25));
    assertThat(out.sent.getLast()).isEqualTo(new QueueEmpty(new QueueSeq(25)));
    say(stream);
    assertThat(numbers()).isEqualTo(upTo(1, 26));
    assertThat(ways).containsOnlyOnce(DeliveryWay.LIVE);
    assertThat(reads).hasSize(3);
    assertThat(drained).isEqualTo(1);
  }

  @Test
  void anEmptyQueueIsSaidToBeOneAtOnce() {
    QueueStream stream = open(0, 256);
    assertThat(out.sent).containsExactly(new QueueEmpty(new QueueSeq(0)));
    catchUp();
    say(stream);
    say(stream);
    assertThat(empties()).hasSize(1);
    assertThat(numbers()).containsExactly(1L, 2L);
  }

  @Test
  void itIsEmptyWhereItEndedWhenItWasOpened() {
    last = 15;
    QueueStream stream = open(3, 256);
    say(stream);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(4, 16));
    assertThat(empties()).containsExactly(new QueueEmpty(new QueueSeq(15)));
    assertThat(out.sent.indexOf(new QueueEmpty(new QueueSeq(15)))).isEqualTo(12);
  }

  @Test
  void whatIsSaidWhileAPageIsReadComesBehindIt() {
    last = 3;
    holds = true;
    QueueStream stream = open(0, 256);
    catchUp();
    say(stream);
    say(stream);
    assertThat(numbers()).isEmpty();
    pages.remove().run();
    assertThat(numbers()).isEqualTo(upTo(1, 5));
    assertThat(reads).hasSize(1);
    say(stream);
    assertThat(numbers()).isEqualTo(upTo(1, 6));
  }

  @Test
  void aHoleIsReadUnlessItIsFilledInAMoment() {
    QueueStream stream = open(0, 256);
    catchUp();
    last = 2;
    stream.queued(place(2), TAIL);
    assertThat(numbers()).isEmpty();
    stream.queued(place(1), TAIL);
    assertThat(numbers()).containsExactly(1L, 2L);
    fireTimers();
    assertThat(reads).as("of the beginning").hasSize(1);
    last = 4;
    stream.queued(place(4), TAIL);
    fireTimers();
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 4));
    assertThat(reads).hasSize(2);
  }

  @Test
  void whatIsOldOrDoubledIsDropped() {
    QueueStream stream = open(0, 256);
    catchUp();
    say(stream);
    stream.queued(place(1), TAIL);
    stream.queued(place(1), TAIL);
    assertThat(numbers()).containsExactly(1L);
  }

  @Test
  void whatWasNotCarriedWholeIsRead() {
    QueueStream stream = open(0, 256);
    catchUp();
    last = 1;
    stream.queued(new QueuedSend.Place(PHONE, new QueueSeq(1), false, true, null), TAIL);
    assertThat(numbers()).isEmpty();
    catchUp();
    assertThat(numbers()).containsExactly(1L);
    assertThat(ways).containsExactly(DeliveryWay.READ);
  }

  @Test
  void noMoreIsOnTheWayThanMayBeUnacknowledged() {
    last = 30;
    QueueStream stream = open(0, 8);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 8));
    say(stream);
    assertThat(behind).isEmpty();
    gone = 4;
    stream.acknowledged(new QueueSeq(4));
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 12));
    while (gone < 31) {
      gone = Math.min(last, gone + 5);
      stream.acknowledged(new QueueSeq(gone));
      catchUp();
    }
    assertThat(numbers()).isEqualTo(upTo(1, 31));
    assertThat(empties()).hasSize(1);
  }

  @Test
  void oneWhoAcknowledgesEachDoesNotHaveAPageReadForEach() {
    last = 400;
    QueueStream stream = open(0, 40);
    catchUp();
    int before = reads.size();
    while (gone < 400) {
      gone++;
      stream.acknowledged(new QueueSeq(gone));
      catchUp();
    }
    assertThat(numbers()).isEqualTo(upTo(1, 400));
    assertThat(reads.size() - before).isLessThanOrEqualTo(400 / 20 * 3);
  }

  @Test
  void whoIsFullHearsOfWhatWasAcknowledgedByAnotherWay() {
    last = 30;
    QueueStream stream = open(0, 8);
    catchUp();
    gone = 8;
    fireTimers();
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 16));
    say(stream);
    gone = 16;
    fireTimers();
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 24));
    assertThat(stream.stored()).isEqualTo(new QueueSeq(16));
  }

  @Test
  void whoStaysFullIsReadForEverMoreSeldom() {
    last = 30;
    QueueStream stream = open(0, 8);
    catchUp();
    for (int seconds = 1; seconds < 64; seconds *= 2) {
      int before = reads.size();
      stream.look();
      say(stream);
      catchUp();
      assertThat(reads).as("whatever comes").hasSize(before);
      assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(Math.min(seconds, 30)));
      fireTimers();
      catchUp();
      assertThat(reads).hasSize(before + 1);
      assertThat(timers).hasSize(1);
    }
    assertThat(numbers()).isEqualTo(upTo(1, 8));
  }

  @Test
  void whatCannotBeToldYetIsReadAgainInAMoment() {
    last = 3;
    ending = true;
    QueueStream stream = open(0, 8);
    catchUp();
    say(stream);
    stream.look();
    catchUp();
    assertThat(numbers()).isEmpty();
    assertThat(reads).hasSize(1);
    assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    ending = false;
    fireTimers();
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 4));
  }

  @Test
  void whatLiveSendsFillWaitsForAcknowledgementsToo() {
    QueueStream stream = open(0, 3);
    catchUp();
    for (int i = 0; i < 5; i++) {
      say(stream);
    }
    assertThat(numbers()).containsExactly(1L, 2L, 3L);
    stream.acknowledged(new QueueSeq(3));
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 5));
  }

  @Test
  void anUnacknowledgedPositionOfTheClientDoesNotBlockIt() {
    last = 10;
    open(8, 3);
    catchUp();
    assertThat(numbers()).containsExactly(9L, 10L);
  }

  @Test
  void onlyWhatWasSentMayBeAcknowledged() {
    last = 2;
    QueueStream stream = open(0, 256);
    assertThat(stream.hasSent(new QueueSeq(1))).isFalse();
    catchUp();
    assertThat(stream.hasSent(new QueueSeq(2))).isTrue();
    assertThat(stream.hasSent(new QueueSeq(3))).isFalse();
  }

  @Test
  void aFullSocketGetsTheRestWhenItHasDrained() {
    last = 9;
    out.takes.set(4);
    QueueStream stream = open(0, 256);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 4));
    say(stream);
    out.takes.set(100);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 10));
    out.takes.set(0);
    say(stream);
    assertThat(numbers()).hasSize(10);
    out.takes.set(100);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 11));
  }

  @Test
  void whatTheDeviceAcknowledgedElsewhereIsPassedOver() {
    last = 9;
    gone = 5;
    QueueStream stream = open(2, 256);
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(6, 9));
    assertThat(stream.stored()).isEqualTo(new QueueSeq(5));
  }

  @Test
  void aLookFindsWhatPassedUnheard() {
    QueueStream stream = open(0, 256);
    catchUp();
    last = 2;
    stream.look();
    catchUp();
    assertThat(numbers()).containsExactly(1L, 2L);
    holds = true;
    stream.look();
    catchUp();
    last = 3;
    stream.look(); // the page that is under way may have been read before
    pages.remove().run();
    holds = false;
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 3));
  }

  @Test
  void whatIsAnnouncedAndDoesNotExistIsForgotten() {
    QueueStream stream = open(0, 256);
    catchUp();
    stream.queued(place(7), TAIL);
    fireTimers();
    catchUp();
    assertThat(behind).isEmpty();
    fireTimers();
    assertThat(behind).isEmpty();
    say(stream);
    assertThat(numbers()).containsExactly(1L);
  }

  @Test
  void nothingOfAnotherEpochIsSent() {
    last = 3;
    epoch = new Epoch(2);
    QueueStream stream = open(0, 256);
    assertThat(stream.catchUp().failed()).isTrue();
    assertThat(numbers()).isEmpty();
  }

  @Test
  void aRemovedDeviceGetsNothing() {
    QueueStream stream = open(0, 256);
    catchUp();
    removed = true;
    stream.look();
    catchUp();
    stream.queued(place(1), TAIL);
    assertThat(numbers()).isEmpty();
    assertThat(behind).isEmpty();
  }

  @Test
  void whatIsHeldIsBounded() {
    QueueStream stream = open(0, 256);
    catchUp();
    byte[] large = new byte[HeldSends.MOST / 2];
    last = 5;
    stream.queued(place(3), large);
    stream.queued(place(4), large);
    stream.queued(place(5), large);
    fireTimers();
    catchUp();
    assertThat(numbers()).isEqualTo(upTo(1, 5));
  }

  /// Publications come in any order, doubled or not at all, pages are late or fail, sockets fill
  /// up, clients acknowledge when they like: it is always every number once, in order.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyNumberComesOnceAndInOrder(long seed) {
    Random random = new Random(seed);
    for (int history = 0; history < 40; history++) {
      reset();
      last = random.nextInt(30);
      int most = 1 + random.nextInt(40);
      QueueStream stream = open(0, most);
      List<Long> underWay = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        step(random, stream, underWay);
        assertThat(numbers()).as("seed %d", seed).isEqualTo(upTo(1, numbers().size()));
        assertThat(numbers().size() - stream.stored().value()).isLessThanOrEqualTo(most);
      }
      settle(stream);
      assertThat(numbers()).as("seed %d, history %d", seed, history).isEqualTo(upTo(1, last));
      assertThat(empties()).hasSize(1);
    }
  }

  private void reset() {
    out.sent.clear();
    out.takes.set(Integer.MAX_VALUE);
    timers.clear();
    behind.clear();
    pages.clear();
    gone = 0;
    holds = false;
    away = false;
  }

  private void step(Random random, QueueStream stream, List<Long> underWay) {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> underWay.add(++last);
      case 3, 4 -> {
        if (!underWay.isEmpty()) {
          int which = random.nextInt(Math.min(3, underWay.size()));
          long seq = random.nextInt(10) == 0 ? underWay.get(which) : underWay.remove(which);
          if (random.nextInt(10) != 0) {
            stream.queued(place(seq), TAIL);
          }
        }
      }
      case 5 -> fireTimers();
      case 6 -> {
        holds = random.nextBoolean();
        away = random.nextInt(5) == 0;
        if (pages.isEmpty()) {
          catchUp();
        }
      }
      case 7 -> {
        if (!pages.isEmpty()) {
          pages.remove().run();
        }
      }
      case 8 -> {
        long sent = numbers().size();
        if (sent > gone) {
          gone += 1 + random.nextInt((int) (sent - gone));
          stream.acknowledged(new QueueSeq(gone));
        }
      }
      default -> out.takes.set(random.nextInt(4) == 0 ? random.nextInt(5) : 1_000);
    }
  }

  /// A digest says that something was missed, and everything works again.
  private void settle(QueueStream stream) {
    holds = false;
    away = false;
    out.takes.set(Integer.MAX_VALUE);
    for (int i = 0; i < 100; i++) {
      while (!pages.isEmpty()) {
        pages.remove().run();
      }
      stream.look();
      fireTimers();
      catchUp();
      gone = numbers().size();
      stream.acknowledged(new QueueSeq(gone));
    }
  }
}
