package io.confab.scenario.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.protocol.Secret;
import io.confab.scenario.ApiClient;
import io.confab.scenario.ApiClient.Person;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.confab.testing.TestConfig;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A sealed room on two nodes that do not hear each other: what is said is acknowledged at once and
/// comes to each device by way of the database, all of it, and in one order.
@ExtendWith(VertxExtension.class)
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedWithoutRedisIT {
  private static final int CALM = 20;
  private static final int AWAY = 100;
  private static final int AFTER = 5;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final double MICROS_PER_MILLI = 1_000;

  private final OwnRedis redis = OwnRedis.start();
  private final Nodes nodes = Nodes.start(0);
  private final Vertx vertx;

  SealedWithoutRedisIT(Vertx vertx) {
    this.vertx = vertx;
    for (int node = 0; node < 2; node++) {
      nodes.add(
          TestConfig.with(nodes.config(), "redis.url", Optional.of(new Secret(redis.address()))));
    }
  }

  @AfterAll
  void close() {
    nodes.close();
    redis.close();
  }

  enum Absence {
    KILLED,
    FROZEN;

    void begin(OwnRedis redis) {
      switch (this) {
        case KILLED -> redis.kill();
        case FROZEN -> redis.freeze();
      }
    }

    void end(OwnRedis redis) {
      switch (this) {
        case KILLED -> redis.startAgain();
        case FROZEN -> redis.thaw();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSaidIsAcknowledgedAndComesToAllInOneOrder(Absence absence) throws Exception {
    Talk talk = new Talk(absence.name().toLowerCase(Locale.ROOT));
    talk.say("calm", CALM);
    talk.awaitAll();
    absence.begin(redis);
    try {
      talk.say("away", AWAY);
      talk.awaitAll();
    } finally {
      absence.end(redis);
    }
    talk.say("after", AFTER);
    talk.awaitAll();
    talk.assertOneOrder();
    talk.end();
  }

  /// Four devices of three people, two at each node; all but one speak.
  private final class Talk {
    private final SealedGroup group;
    private final List<Device> devices = new ArrayList<>();

    /// When each send was acknowledged, by its payload, in nanoseconds.
    private final Map<String, Long> said = new ConcurrentHashMap<>();

    Talk(String name) {
      int port = nodes.port(0);
      Person ann = ApiClient.person(port, name + "ann", "Ann");
      Person phone = ApiClient.person(port, name + "bob", "Bob");
      Person laptop = phone.onAnotherDevice(port);
      Person cid = ApiClient.person(port, name + "cid", "Cid");
      List<Person> people = List.of(ann, phone, laptop, cid);
      group = SealedGroup.of(port, people.toArray(Person[]::new));
      for (int i = 0; i < people.size(); i++) {
        devices.add(new Device(people.get(i), i % 2));
      }
    }

    /// All speakers at once, each as soon as the last one is acknowledged.
    void say(String phase, int each) throws Exception {
      Histogram acks = new Histogram(3);
      try (var speakers = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> speaking = new ArrayList<>();
        for (Device device : devices.subList(0, devices.size() - 1)) {
          speaking.add(speakers.submit(() -> say(device, phase, each, acks)));
        }
        for (Future<?> one : speaking) {
          one.get();
        }
      }
      print(phase + ": acknowledged", acks);
    }

    private void say(Device device, String phase, int count, Histogram acks) {
      for (int i = 0; i < count; i++) {
        String payload = "%s %d of %s".formatted(phase, i, device.person.deviceId());
        long from = System.nanoTime();
        JsonObject ack = device.client.ask(group.saying(payload));
        long now = System.nanoTime();
        assertThat(ack.getString("type")).as("%s", ack).isEqualTo("envelope.ack");
        assertThat(ack.containsKey("duplicate")).isFalse();
        said.put(payload, now);
        synchronized (acks) {
          acks.recordValue((now - from) / NANOS_PER_MICRO);
        }
      }
    }

    void awaitAll() {
      for (Device device : devices) {
        List<String> expected = said.keySet().stream().filter(device::isForIt).toList();
        await()
            .untilAsserted(
                () -> assertThat(device.payloads()).containsExactlyInAnyOrderElementsOf(expected));
      }
    }

    void assertOneOrder() {
      Histogram late = new Histogram(3);
      for (Device device : devices) {
        assertThat(device.numbers).isEqualTo(SealedGroup.upTo(device.numbers.size()));
        for (Device other : devices) {
          List<String> common = other.payloads().stream().filter(device::isForIt).toList();
          assertThat(device.payloads().stream().filter(other::isForIt).toList()).isEqualTo(common);
        }
        device.came.forEach(
            (payload, at) ->
                late.recordValue(
                    Math.max(0, at - said.getOrDefault(payload, at)) / NANOS_PER_MICRO));
      }
      print("received after that", late);
    }

    void end() {
      devices.forEach(device -> device.client.cut());
    }
  }

  /// A device with its queue open, which acknowledges what comes.
  private final class Device {
    final Person person;
    final ChatClient client;
    final List<Long> numbers = new CopyOnWriteArrayList<>();
    final Map<String, Long> came = new ConcurrentHashMap<>();
    private final List<String> payloads = new CopyOnWriteArrayList<>();

    Device(Person person, int node) {
      this.person = person;
      this.client = ChatClient.live(vertx, nodes.port(node), person.token());
      client.listen(this::heard);
      SealedGroup.open(client, 0);
    }

    private void heard(JsonObject frame) {
      if ("envelope.receive".equals(frame.getString("type"))) {
        numbers.add(frame.getLong("queue_seq"));
        payloads.add(frame.getString("payload"));
        came.put(frame.getString("payload"), System.nanoTime());
        client.request(SealedGroup.ack(frame.getLong("queue_seq")));
      }
    }

    Collection<String> payloads() {
      return List.copyOf(payloads);
    }

    /// What a device says itself does not come to it.
    boolean isForIt(String payload) {
      return !payload.endsWith(person.deviceId());
    }
  }

  private static void print(String what, Histogram micros) {
    System.out.printf(
        "%s: p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
        what,
        micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
        micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
        micros.getMaxValue() / MICROS_PER_MILLI);
  }
}
