package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Queues that keep nothing for longer than two seconds, on two nodes that both end what is over.
@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedRetentionIT {
  private static final Duration RETENTION = Duration.ofSeconds(2);

  /// As many as one answer about them tells.
  private static final int SENDS = 400;

  private final Nodes nodes = Nodes.start(0);
  private final Vertx vertx;

  SealedRetentionIT(Vertx vertx) {
    this.vertx = vertx;
    for (int node = 0; node < 2; node++) {
      nodes.add(TestConfig.with(nodes.config(), "queues.retention", RETENTION));
    }
  }

  @AfterAll
  void close() {
    nodes.close();
  }

  private Person person(String handle) {
    return ApiClient.person(nodes.port(0), handle, handle);
  }

  /// One person acknowledges at once on one of two devices, one about when the time is over, and
  /// one never comes. Of those who are late the first is in time and the last is not, whatever the
  /// speed.
  @Test
  void numbersStayDenseAndFailedIsToldOnceOfEachWhoGotItNowhere() {
    Person owner = person("owner");
    Person quick = person("quick");
    Person quickAway = quick.onAnotherDevice(nodes.port(0));
    Person late = person("late");
    Person away = person("away");
    Person awayToo = away.onAnotherDevice(nodes.port(0));
    SealedGroup group = SealedGroup.of(nodes.port(0), owner, quick, quickAway, late, away, awayToo);
    ChatClient sender = ChatClient.live(vertx, nodes.port(0), owner.token());
    Person ownerToo = owner.onAnotherDevice(nodes.port(0));
    List<ChatClient> ofSender =
        List.of(sender, ChatClient.live(vertx, nodes.port(1), ownerToo.token()));
    ChatClient prompt = reading(quick, 1, (client, seq) -> client.request(SealedGroup.ack(seq)));
    Tardy tardy = new Tardy();
    ChatClient slow = reading(late, 0, tardy);
    long timer = vertx.setPeriodic(5, _ -> tardy.acknowledge(slow));

    long seq = 0;
    do {
      say(sender, group, ++seq);
      awaitFate(owner, group, late, seq);
    } while (fate(owner, group, late).delivered().isEmpty());
    tardy.after = Tardy.ALMOST;
    while (seq < SENDS) {
      say(sender, group, ++seq);
    }
    awaitFate(owner, group, late, SENDS);
    tardy.before = Long.MAX_VALUE;

    await().until(() -> count("SELECT count(*) FROM envelope_payload") == 0);
    await().until(() -> count("SELECT count(*) FROM delivery_failure WHERE NOT told") == 0);

    Map<String, Fate> fates = fates(owner, group);
    assertThat(fates).containsOnlyKeys(quick.accountId(), late.accountId(), away.accountId());
    assertThat(fates.values())
        .as("each is delivered or has failed")
        .allSatisfy(
            fate ->
                assertThat(Stream.concat(fate.delivered().stream(), fate.failed().stream()))
                    .containsExactlyInAnyOrderElementsOf(SealedGroup.upTo(SENDS)));
    Fate ofLate = of(fates, late);
    Fate ofQuick = of(fates, quick);
    assertThat(ofQuick.delivered()).isNotEmpty();
    assertThat(ofLate.delivered()).isNotEmpty();
    assertThat(ofLate.failed()).contains((long) SENDS);
    assertThat(of(fates, away).delivered()).isEmpty();
    List<Person> all = List.of(quick, late, away);
    all.forEach(
        person -> await().untilAsserted(() -> assertThatEachIsToldOnce(ofSender, person, fates)));
    System.out.printf(
        "of %d sends %d failed for who was late, %d for who was there%n",
        SENDS, ofLate.failed().size(), ofQuick.failed().size());

    for (Person device : List.of(quickAway, away, awayToo)) {
      assertThatAllIsGone(device, sender, group);
    }
    for (ChatClient client : List.of(prompt, slow)) {
      await().until(() -> queueNumbers(client).size() >= SENDS);
      assertThat(queueNumbers(client).subList(0, SENDS)).isEqualTo(SealedGroup.upTo(SENDS));
    }
    all.forEach(person -> assertThatEachIsToldOnce(ofSender, person, fates));
    vertx.cancelTimer(timer);
    List.of(prompt, slow).forEach(ChatClient::cut);
    ofSender.forEach(ChatClient::cut);
  }

  private static void say(ChatClient sender, SealedGroup group, long seq) {
    JsonObject ack = sender.ask(group.saying("c" + seq));
    assertThat(ack.getString("type")).as("%s", ack).isEqualTo("envelope.ack");
    assertThat(ack.getLong("seq")).isEqualTo(seq);
  }

  /// What became of all that was sent to an account.
  private record Fate(List<Long> delivered, List<Long> failed) {}

  private Map<String, Fate> fates(Person owner, SealedGroup group) {
    Map<String, Fate> fates = new HashMap<>();
    for (Object each : deliveries(owner, group)) {
      JsonObject at = (JsonObject) each;
      fates.put(
          at.getString("account_id"),
          new Fate(
              runs(at.getJsonArray("delivered")).toList(), numbers(at.getJsonArray("failed"))));
    }
    return fates;
  }

  private Fate fate(Person owner, SealedGroup group, Person of) {
    return fates(owner, group).getOrDefault(of.accountId(), new Fate(List.of(), List.of()));
  }

  private void awaitFate(Person owner, SealedGroup group, Person of, long seq) {
    await()
        .until(
            () -> {
              Fate fate = fate(owner, group, of);
              return fate.delivered().contains(seq) || fate.failed().contains(seq);
            });
  }

  /// What a device does with a number that came.
  @FunctionalInterface
  private interface Reader {
    void came(ChatClient client, long seq);
  }

  private ChatClient reading(Person device, int node, Reader reader) {
    ChatClient client = ChatClient.live(vertx, nodes.port(node), device.token());
    client.listen(
        frame -> {
          if ("envelope.receive".equals(frame.getString("type"))) {
            reader.came(client, frame.getLong("queue_seq"));
          }
        });
    SealedGroup.open(client, 0);
    return client;
  }

  /// Acknowledges what came a while ago: at first at once, then when it may be over by now, or be
  /// about to; and what was sent last not before it is over.
  private static final class Tardy implements Reader {
    private static final Duration ALMOST = RETENTION.minusMillis(50);

    /// Numbers with the time at which they came.
    private final Queue<Map.Entry<Long, Long>> kept = new ConcurrentLinkedQueue<>();

    private volatile Duration after = Duration.ZERO;
    private volatile long before = SENDS;

    @Override
    public void came(ChatClient client, long seq) {
      kept.add(Map.entry(seq, System.nanoTime()));
    }

    void acknowledge(ChatClient client) {
      long now = System.nanoTime();
      long last = 0;
      for (Map.Entry<Long, Long> first = kept.peek();
          first != null && first.getKey() < before && now - first.getValue() >= after.toNanos();
          first = kept.peek()) {
        last = kept.remove().getKey();
      }
      if (last > 0) {
        client.request(SealedGroup.ack(last));
      }
    }
  }

  private long count(String sql) {
    return nodes.database().count(sql);
  }

  private JsonArray deliveries(Person owner, SealedGroup group) {
    return owner
        .at(nodes.port(0))
        .ok("GET", "/v1/rooms/" + group.id() + "/deliveries?from_seq=1", null)
        .getJsonArray("accounts");
  }

  private static List<Long> numbers(JsonArray failures) {
    List<Long> numbers = new ArrayList<>();
    for (Object each : failures) {
      JsonObject failure = (JsonObject) each;
      assertThat(failure.getString("reason")).isEqualTo("expired");
      numbers.add(failure.getLong("seq"));
    }
    return numbers;
  }

  private static Stream<Long> runs(JsonArray delivered) {
    return delivered.stream()
        .map(JsonArray.class::cast)
        .flatMap(run -> LongStream.rangeClosed(run.getLong(0), run.getLong(1)).boxed());
  }

  /// Of what was sent at first.
  private static List<Long> told(ChatClient sender, Person about) {
    return sender.frames("message.ack").stream()
        .filter(ack -> "failed".equals(ack.getString("status")))
        .filter(ack -> about.accountId().equals(ack.getString("account_id")))
        .map(ack -> ack.getLong("seq"))
        .filter(seq -> seq <= SENDS)
        .toList();
  }

  private static Fate of(Map<String, Fate> fates, Person person) {
    return Objects.requireNonNull(fates.get(person.accountId()));
  }

  /// To each session once at most, and to those at the node that tells it; on the way to the other
  /// node it may be lost.
  private static void assertThatEachIsToldOnce(
      List<ChatClient> ofSender, Person about, Map<String, Fate> fates) {
    List<List<Long>> told = ofSender.stream().map(sender -> told(sender, about)).toList();
    assertThat(told).allSatisfy(seqs -> assertThat(seqs).doesNotHaveDuplicates());
    assertThat(told.stream().flatMap(List::stream).distinct())
        .containsExactlyInAnyOrderElementsOf(of(fates, about).failed());
  }

  private static List<Long> queueNumbers(ChatClient client) {
    return client.frames("envelope.receive").stream()
        .map(frame -> frame.getLong("queue_seq"))
        .toList();
  }

  /// Under all its numbers, and what is said next has the next one.
  private void assertThatAllIsGone(Person device, ChatClient sender, SealedGroup group) {
    ChatClient client = reading(device, 1, (own, seq) -> own.request(SealedGroup.ack(seq)));
    await().until(() -> !client.frames("queue.empty").isEmpty());
    assertThat(client.frames("envelope.receive").subList(0, SENDS))
        .allSatisfy(frame -> assertThat(frame.getBoolean("gone")).isTrue())
        .noneSatisfy(frame -> assertThat(frame.containsKey("payload")).isTrue());
    await().until(() -> theNextOneComes(device, client, sender, group));
    assertThat(queueNumbers(client)).isEqualTo(SealedGroup.upTo(queueNumbers(client).size()));
    client.cut();
  }

  /// Whether what is said now comes before it is over: not while the machine stands still.
  private static boolean theNextOneComes(
      Person device, ChatClient client, ChatClient sender, SealedGroup group) {
    int before = client.frames("envelope.receive").size();
    String payload = "next of %s after %d".formatted(device.deviceId(), before);
    sender.ask(group.saying(payload));
    await().until(() -> client.frames("envelope.receive").size() > before);
    return payload.equals(client.frames("envelope.receive").getLast().getString("payload"));
  }
}
