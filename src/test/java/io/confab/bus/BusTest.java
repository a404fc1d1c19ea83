package io.confab.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.confab.bus.Question.Reply;
import io.confab.config.NodeRole;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.NodeId;
import io.confab.protocol.Refusal;
import io.confab.testing.Futures;
import io.confab.testing.LogLines;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

@ExtendWith(VertxExtension.class)
@Timeout(180)
class BusTest {
  /// Goes to a role that this node does not have.
  private record Elsewhere() implements Command<Reply> {
    @Override
    public Address<Elsewhere> address() {
      return new Address<>("elsewhere", NodeRole.PRESENCE);
    }

    @Override
    public Lane lane() {
      return Lane.of(1);
    }
  }

  private final List<BusSide> received = new CopyOnWriteArrayList<>();
  private Vertx vertx;
  private Bus bus;

  @BeforeEach
  void open(Vertx vertx) {
    this.vertx = vertx;
    this.bus =
        new Bus(
            vertx,
            Peers.alone(new Peer(new NodeId("a"), Map.of(NodeRole.ROUTING, 1))),
            BusKey.ofThisProcess(),
            received::add);
  }

  private void serve(Function<Question, Future<? extends BusMessage>> handler) {
    Futures.get(bus.serve(Question.ADDRESS, 0, handler));
  }

  private Refusal refusal() {
    return catchThrowableOfType(Refusal.class, () -> Futures.get(bus.request(new Question(1))));
  }

  @Test
  void aCommandIsAnsweredWithTheObjectItself() {
    Reply reply = new Reply("yes");
    serve(_ -> Future.succeededFuture(reply));
    assertThat(Futures.get(bus.request(new Question(1)))).isSameAs(reply);
  }

  @Test
  void anAnswerComesOnTheLoopOfWhoAsked() {
    serve(_ -> Future.succeededFuture(new Reply("yes")));
    Promise<Boolean> same = Promise.promise();
    vertx.runOnContext(
        _ -> {
          Thread mine = Thread.currentThread();
          bus.request(new Question(1))
              .map(_ -> Thread.currentThread().equals(mine))
              .onComplete(same);
        });
    assertThat(Futures.get(same.future())).isTrue();
  }

  @Test
  void aLaneEndsWithItsVerticle() {
    Deployable serving =
        _ -> bus.serve(Question.ADDRESS, 0, _ -> Future.succeededFuture(new Reply("yes")));
    String verticle = Futures.get(vertx.deployVerticle(serving));
    assertThat(Futures.get(bus.request(new Question(1)))).isEqualTo(new Reply("yes"));
    Futures.get(vertx.undeploy(verticle));
    await()
        .untilAsserted(
            () ->
                assertThat(Futures.refusal(bus.request(new Question(1))))
                    .isEqualTo(ErrorCode.UNAVAILABLE));
  }

  @Test
  void whatIsPublishedReachesAllWhoSubscribe() {
    Topic<Reply> topic = new Topic<>("news");
    List<String> heard = new CopyOnWriteArrayList<>();
    Futures.get(bus.subscribe(topic, reply -> heard.add("first " + reply)));
    Futures.get(bus.subscribe(topic, reply -> heard.add("second " + reply)));
    Reply reply = new Reply("yes");
    bus.publish(topic, reply);
    await().until(() -> heard.size() == 2);
    assertThat(heard).containsExactlyInAnyOrder("first " + reply, "second " + reply);
  }

  @Test
  void commandsAndAnnouncementsAreCountedAndAnswersAreNot() {
    serve(_ -> Future.succeededFuture(new Reply("yes")));
    Futures.get(bus.request(new Question(1)));
    assertThat(received).containsExactly(BusSide.LOCAL);

    Topic<Reply> topic = new Topic<>("news");
    Futures.get(bus.subscribe(topic, _ -> {}));
    bus.publish(topic, new Reply("yes"));
    await().until(() -> received.size() == 2);
    assertThat(received).containsOnly(BusSide.LOCAL);
  }

  @Test
  void whatWasSentElsewhereIsDropped() {
    Topic<Reply> topic = new Topic<>("news");
    List<Reply> heard = new CopyOnWriteArrayList<>();
    Futures.get(bus.subscribe(topic, heard::add));
    DeliveryOptions sealed = new DeliveryOptions().setCodecName(EnvelopeCodec.NAME);
    vertx.eventBus().publish("news", new Envelope("other news", new Reply("moved")), sealed);
    vertx.eventBus().publish("news", "no message of the bus");
    bus.publish(topic, new Reply("yes"));
    await().until(() -> !heard.isEmpty());
    assertThat(heard).containsExactly(new Reply("yes"));
    assertThat(received).containsExactly(BusSide.LOCAL);
  }

  @Test
  void whatNobodyHearsIsNoFailure() {
    bus.publish(new Topic<>("unheard"), new Reply("yes"));
    serve(_ -> Future.succeededFuture(new Reply("still here")));
    assertThat(Futures.get(bus.request(new Question(1)))).isNotNull();
  }

  @Test
  void aRefusalCrossesWhole() {
    serve(
        _ ->
            Future.failedFuture(
                new Refusal(
                    ErrorCode.SLOW_MODE,
                    "device.name",
                    "wait | please",
                    Duration.ofMillis(1_234))));
    Refusal refusal = refusal();
    assertThat(refusal.code()).isEqualTo(ErrorCode.SLOW_MODE);
    assertThat(refusal.field()).contains("device.name");
    assertThat(refusal.detail()).isEqualTo("wait | please");
    assertThat(refusal.retryAfter()).contains(Duration.ofMillis(1_234));
  }

  @Test
  void aRefusalThatSaysLittleCrossesToo() {
    serve(_ -> Future.failedFuture(new Refusal(ErrorCode.NOT_FOUND, "")));
    Refusal refusal = refusal();
    assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refusal.field()).isEmpty();
    assertThat(refusal.detail()).isEmpty();
    assertThat(refusal.retryAfter()).isEmpty();
  }

  @Test
  void aHandlerMayThrowARefusal() {
    serve(
        _ -> {
          throw new Refusal(ErrorCode.GONE, "it was deleted");
        });
    assertThat(refusal().code()).isEqualTo(ErrorCode.GONE);
  }

  @Test
  void aBugIsInternalAndTellsOnlyTheNumberUnderWhichItIsLogged() {
    Logger log = (Logger) LoggerFactory.getLogger(Bus.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    serve(
        _ -> {
          throw new IllegalStateException("table credential, row 7");
        });
    Refusal refusal = refusal();
    log.detachAppender(lines);
    assertThat(refusal.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(refusal.detail()).matches("an error of the server, incident [0-9a-f]{8}");
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("Question met " + refusal.detail());
  }

  @Test
  void aFailedAnswerIsInternalToo() {
    serve(_ -> Future.failedFuture(new IllegalStateException("table credential")));
    assertThat(refusal().code()).isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void aRoleThatNobodyHasIsUnavailable() {
    assertThat(Futures.refusal(bus.request(new Elsewhere()))).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void anAddressThatNobodyServesIsUnavailable() {
    assertThat(refusal().code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void commandsOfALaneComeInOrderWhateverTheirAnswersTake() {
    List<Integer> seen = new CopyOnWriteArrayList<>();
    Promise<Void> last = Promise.promise();
    serve(
        question -> {
          seen.add(question.number());
          return question.number() % 2 == 0
              ? Future.succeededFuture(new Reply("now"))
              : last.future().map(_ -> new Reply("later"));
        });
    List<Future<Reply>> answers = new CopyOnWriteArrayList<>();
    vertx.runOnContext(
        _ -> IntStream.range(0, 500).forEach(i -> answers.add(bus.request(new Question(i)))));
    await().until(() -> seen.size() == 500);
    last.complete();
    Futures.get(Future.all(List.copyOf(answers)));
    assertThat(seen).containsExactlyElementsOf(IntStream.range(0, 500).boxed().toList());
  }

  @Test
  void aLaneIsServedOnTheLoopThatAskedToServeIt() {
    AtomicReference<Thread> mine = new AtomicReference<>();
    AtomicReference<Thread> handling = new AtomicReference<>();
    Promise<Void> served = Promise.promise();
    vertx.runOnContext(
        _ -> {
          mine.set(Thread.currentThread());
          bus.serve(
                  Question.ADDRESS,
                  0,
                  _ -> {
                    handling.set(Thread.currentThread());
                    return Future.succeededFuture(new Reply(""));
                  })
              .onComplete(served);
        });
    Futures.get(served.future());
    Futures.get(bus.request(new Question(1)));
    assertThat(handling.get()).isNotNull().isSameAs(mine.get());
  }

  @Test
  void theLaneOfAKeyNeverChangesAndKeysSpread() {
    assertThat(Lane.of(42).among(8)).isEqualTo(Lane.of(42).among(8));
    Map<Integer, Long> keys =
        LongStream.range(-4_000, 4_000)
            .mapToObj(key -> Lane.of(key).among(8))
            .collect(Collectors.groupingBy(lane -> lane, Collectors.counting()));
    assertThat(keys.keySet()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(keys.values()).allMatch(count -> count > 500);
  }

  @Test
  void aNodeKnowsHowManyLanesItServes() {
    assertThat(bus.localLanes(NodeRole.ROUTING)).isEqualTo(1);
    assertThat(bus.localLanes(NodeRole.PRESENCE)).isZero();
  }

  /// Is asked of another node, and not for long.
  private record Hasty(Duration patience) implements Command<Reply> {
    @Override
    public Address<Hasty> address() {
      return new Address<>("hasty", NodeRole.ROUTING);
    }

    @Override
    public Lane lane() {
      return Lane.of(1);
    }
  }

  /// A bus of another node, with a Vert.x of its own: there is one bus for each.
  private static void elsewhere(Consumer<Bus> test) {
    Vertx other = Vertx.vertx();
    try {
      test.accept(new Bus(other, new Far()));
    } finally {
      Futures.get(other.close());
    }
  }

  @Test
  void anAnswerOfAnotherNodeIsWaitedForAsLongAsTheCommandSays() {
    elsewhere(
        asking -> {
          Address<Hasty> address = new Address<>("hasty", NodeRole.ROUTING);
          Futures.get(asking.serve(address, 0, _ -> Promise.<Reply>promise().future()));
          Future<Reply> patient = asking.request(new Hasty(Duration.ofMinutes(10)));
          Future<Reply> hasty = asking.request(new Hasty(Duration.ofMillis(1)));
          assertThat(Futures.refusal(hasty)).isEqualTo(ErrorCode.UNAVAILABLE);
          assertThat(patient.isComplete()).isFalse();
        });
  }

  @Test
  void aNodeThatIsAwayIsOneLineAMinuteHoweverOftenItIsAsked() {
    elsewhere(
        asking -> {
          try (LogLines log = new LogLines(Bus.class.getName())) {
            for (int i = 0; i < 100; i++) {
              assertThat(Futures.refusal(asking.request(new Question(i))))
                  .isEqualTo(ErrorCode.UNAVAILABLE);
            }
            assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("WARN Node b does not answer: ");
          }
        });
  }

  /// There is one node, which is not this one.
  private static final class Far implements Peers {
    private final Peer far = new Peer(new NodeId("b"), Map.of(NodeRole.ROUTING, 1));

    @Override
    public int others() {
      return 0;
    }

    @Override
    public Peer local() {
      return far;
    }

    @Override
    public boolean isLocal(Peer peer) {
      return false;
    }

    @Override
    public Optional<Peer> serving(NodeRole role) {
      return Optional.of(far);
    }
  }
}
