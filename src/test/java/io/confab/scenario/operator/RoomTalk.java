package io.confab.scenario.operator;

import static io.confab.testing.TestConfig.onServers;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.config.Config;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// People on two nodes who talk all the time, each in every room, and a ledger of what was
/// said, acknowledged and heard.
final class RoomTalk implements AutoCloseable {
  private static final int NODES = 2;

  /// One message, as its sender saw it.
  private record Said(String room, String body, CompletableFuture<JsonObject> ack) {}

  /// Moments of `System.nanoTime`.
  private record Receipt(long saidAt, long heardAt) {
    long delay() {
      return heardAt - saidAt;
    }
  }

  /// Somebody on one socket. Each body ends with the moment at which it was said.
  private static final class Listener {
    private final ChatClient client;
    private final Queue<Receipt> receipts = new ConcurrentLinkedQueue<>();

    Listener(ChatClient client) {
      this.client = client;
      client.listen(
          frame -> {
            String body = frame.getString("body", "");
            if (!body.isEmpty()) {
              long saidAt = Long.parseLong(body.substring(body.indexOf(' ') + 1));
              receipts.add(new Receipt(saidAt, System.nanoTime()));
            }
          });
    }
  }

  /// What came of it.
  ///
  /// @param messages that were acknowledged, each of which everybody heard once and in order
  /// @param delays of each receipt after the sending, sorted, in milliseconds
  record Ledger(int messages, int listeners, long[] delays) {
    long percentile(double part) {
      return delays[(int) Math.min(delays.length - 1, Math.floor(part * delays.length))];
    }
  }

  private final Nodes nodes = Nodes.start(0);
  private final List<String> rooms = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final Queue<Said> said = new ConcurrentLinkedQueue<>();
  private volatile boolean talking = true;
  private Thread talker = new Thread();

  /// @param redis the URL as the nodes' configuration holds it
  static RoomTalk between(String redis, int people, int rooms) {
    RoomTalk talk = new RoomTalk();
    for (int i = 0; i < NODES; i++) {
      Config config = talk.nodes.config();
      String postgres = config.postgres().url().orElseThrow().value();
      Config own = onServers(config, postgres, redis);
      talk.nodes.add(with(own, "redis.command_timeout", Duration.ofSeconds(2)));
    }
    talk.meet(people, rooms);
    return talk;
  }

  private void meet(int people, int roomCount) {
    List<Person> persons =
        IntStream.range(0, people)
            .mapToObj(i -> ApiClient.person(port(i), "person" + i, "Person " + i))
            .toList();
    for (int i = 0; i < roomCount; i++) {
      String room = persons.getFirst().at(port(0)).channel("room" + i);
      rooms.add(room);
      for (int j = 1; j < people; j++) {
        persons.get(j).at(port(j)).join(room);
      }
    }
    for (int i = 0; i < people; i++) {
      listeners.add(new Listener(ChatClient.live(nodes.vertx(), port(i), persons.get(i).token())));
    }
  }

  private int port(int person) {
    return nodes.port(person % NODES);
  }

  /// Begins to talk, so many messages a second.
  void start(int rate) {
    talker = Thread.ofVirtual().start(() -> talk(rate));
  }

  private void talk(int rate) {
    long pause = Duration.ofSeconds(1).toNanos() / rate;
    for (int i = 0; talking; i++) {
      String room = rooms.get(i % rooms.size());
      String body = "m" + i + " " + System.nanoTime();
      ChatClient speaker = listeners.get(i % listeners.size()).client;
      said.add(new Said(room, body, speaker.send(room, "c" + i, body)));
      LockSupport.parkNanos(pause);
    }
  }

  int messages() {
    return said.size();
  }

  /// Waits until so many more messages have been said.
  void say(int more) {
    int until = messages() + more;
    await().until(() -> messages() >= until);
  }

  /// Stops talking and compares: all that was acknowledged was heard by everybody once, in the
  /// order of its numbers, and nothing else.
  Ledger stop() throws InterruptedException {
    talking = false;
    talker.join();
    for (Said each : said) {
      assertThat(ChatClient.get(each.ack()).getString("type")).isEqualTo("message.ack");
    }
    for (String room : rooms) {
      List<String> expected =
          said.stream()
              .filter(each -> each.room().equals(room))
              .sorted(Comparator.comparingLong(each -> each.ack().join().getLong("seq")))
              .map(Said::body)
              .toList();
      for (Listener listener : listeners) {
        await().untilAsserted(() -> assertThat(listener.client.bodies(room)).isEqualTo(expected));
        List<Long> revs =
            listener.client.events(room).stream().map(each -> each.getLong("rev")).toList();
        assertThat(revs)
            .isEqualTo(
                LongStream.range(revs.getFirst(), revs.getFirst() + revs.size()).boxed().toList());
      }
    }
    return new Ledger(said.size(), listeners.size(), delays());
  }

  private long[] delays() {
    return listeners.stream()
        .flatMap(listener -> listener.receipts.stream())
        .mapToLong(receipt -> receipt.delay() / 1_000_000)
        .sorted()
        .toArray();
  }

  /// Of the messages that were said in this span of `System.nanoTime`.
  Duration longestDelay(long from, long to) {
    return Duration.ofNanos(
        listeners.stream()
            .flatMap(listener -> listener.receipts.stream())
            .filter(receipt -> receipt.saidAt() >= from && receipt.saidAt() <= to)
            .mapToLong(Receipt::delay)
            .max()
            .orElse(0));
  }

  @Override
  public void close() {
    talking = false;
    nodes.close();
  }
}
