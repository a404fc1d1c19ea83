package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.EPOCH;
import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.QueueEvent;
import io.confab.client.QueuedEnvelope;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedStore;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueDrainTest {
  private final MemoryServer server = new MemoryServer();
  private final List<String> asked = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private Path temp;
  private Person ann;
  private SealedDevice bob;
  private QueueDrain drain;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    ann = Person.ready(server, temp, 17, "a");
    Person before = new Person(server, temp, 18, "b");
    before.keys.start();
    server.members.addAll(List.of(ann.account, before.account));
    before.close();
    open();
  }

  @AfterEach
  void part() {
    ann.close();
    bob.close();
  }

  /// A process of Bob's begins.
  private void open() {
    bob =
        SealedDevice.open(
            SealedStore.open(temp.resolve("18-b")), new AccountId(18), new DeviceId("b"));
    DeviceThread device = new DeviceThread(bob, work::add, Runnable::run);
    ServerCalls calls = server.as(new AccountId(18), new DeviceId("b"));
    Roster roster = new Roster(new AccountId(18), calls, device, _ -> {});
    drain = new QueueDrain(new Asked(), roster, device, page -> page.forEach(this::told));
    work.clear();
    asked.clear();
  }

  private void told(Opened opened) {
    shown.add(
        opened instanceof Opened.Shown line
            ? line.line().text()
            : opened.getClass().getSimpleName());
  }

  private void work() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private final class Asked implements QueueCalls {
    @Override
    public void open(@Nullable Epoch epoch, QueueSeq after) {
      asked.add("open " + epoch + " " + after);
    }

    @Override
    public void acknowledge(Epoch epoch, QueueSeq upTo) {
      asked.add("ack " + epoch + " " + upTo);
    }

    @Override
    public void reject(Epoch epoch, QueueSeq queueSeq, String reason) {
      asked.add("reject " + epoch + " " + queueSeq + " " + reason);
    }

    @Override
    public void startOver() {
      asked.add("start over");
    }
  }

  private void connect(long first) {
    drain.due();
    work();
    QueueSeq next = new QueueSeq(first);
    QueueSeq last = new QueueSeq(first - 1);
    drain.opened(new QueueEvent.Opened(EPOCH, next, last, false, 50, false));
    work();
  }

  private void say(String... texts) {
    for (String text : texts) {
      assertThat(ann.sends.say(ROOM, text).succeeded()).isTrue();
    }
  }

  private List<QueuedEnvelope> queue() {
    return server.queue(new AccountId(18), new DeviceId("b"));
  }

  private QueuedEnvelope rubbish(long number) {
    return new QueuedEnvelope.Content(
        new QueueSeq(number),
        EPOCH,
        ROOM,
        new Seq(99),
        ann.account,
        ann.name,
        new ClientId("r-" + number),
        1,
        null,
        new Opaque(
            "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"sender_key\":\"k\",\"device_id\":\"a\","
                + "\"session_id\":\"none\",\"ciphertext\":\"c\"}"),
        null);
  }

  @Test
  void linesAreOpenedInOrderAndAcknowledgedOnceTheyAreKept() {
    connect(1);
    assertThat(asked).containsExactly("open null 0");
    say("one", "two", "three");
    drain.came(queue().get(0));
    drain.came(queue().get(1));
    drain.came(queue().get(2));
    assertThat(asked).hasSize(1);
    assertThat(shown).isEmpty();
    work();
    assertThat(shown).containsExactly("one", "two", "three");
    assertThat(asked).containsExactly("open null 0", "ack 1 1", "ack 1 3");
  }

  /// The channel of a file fails and closes for a thread that is interrupted.
  @Test
  void whatTheDiskFailedAtIsNeitherShownNorAcknowledgedNorRejected() {
    connect(1);
    say("one");
    drain.came(queue().get(0));
    Thread.currentThread().interrupt();
    work();
    assertThat(Thread.interrupted()).isTrue();
    drain.came(rubbish(2));
    connect(1);
    assertThat(shown).isEmpty();
    assertThat(asked).containsExactly("open null 0");
  }

  @Test
  void whatWasKeptAndNotAcknowledgedIsSoAtTheNextOpening() {
    connect(1);
    say("one", "two");
    drain.came(queue().get(0));
    work();
    asked.clear();
    bob.close();
    open();
    connect(1);
    assertThat(asked).containsExactly("open 1 1", "ack 1 1");
    drain.came(queue().get(1));
    work();
    assertThat(asked).endsWith("ack 1 2");
    assertThat(shown).containsExactly("one", "two");
  }

  @Test
  void whatComesTwiceIsShownOnce() {
    connect(1);
    say("one", "two");
    queue().forEach(drain::came);
    work();
    queue().forEach(drain::came);
    work();
    assertThat(shown).containsExactly("one", "two", "Past", "Past");
    assertThat(asked).endsWith("ack 1 2");
  }

  @Test
  void numbersThatAreMissingMakeItBeginOverOnAnotherConnection() {
    connect(1);
    say("one", "two", "three");
    drain.came(queue().get(0));
    work();
    drain.came(queue().get(2));
    work();
    assertThat(asked).endsWith("ack 1 1", "start over");
    drain.came(queue().get(2));
    work();
    assertThat(asked).endsWith("ack 1 1", "start over");
    connect(2);
    assertThat(asked).endsWith("open 1 1");
    drain.came(queue().get(1));
    drain.came(queue().get(2));
    work();
    assertThat(shown).containsExactly("one", "Ahead", "two", "three");
    assertThat(asked).endsWith("ack 1 3");
  }

  @Test
  void whatCannotBeReadIsRejectedBeforeItIsAcknowledged() {
    connect(1);
    drain.came(rubbish(1));
    work();
    assertThat(shown).containsExactly("Dropped");
    assertThat(asked).endsWith("reject 1 1 undecryptable", "ack 1 1");
  }

  @Test
  void aRejectWhoseAnswerWasLostIsRepeatedAtTheNextOpening() {
    connect(1);
    drain.came(rubbish(1));
    work();
    bob.close();
    open();
    connect(1);
    assertThat(asked).containsExactly("open 1 1", "reject 1 1 undecryptable", "ack 1 1");
    drain.rejected(new QueueSeq(1));
    work();
    asked.clear();
    connect(2);
    assertThat(asked).containsExactly("open 1 1");
  }

  @Test
  void whatALostConnectionBroughtIsNotAcknowledgedOnTheNext() {
    connect(1);
    say("one", "two", "three");
    drain.came(queue().get(0));
    work();
    asked.clear();
    drain.came(queue().get(1));
    drain.came(queue().get(2));
    drain.due();
    work();
    assertThat(asked).containsExactly("open 1 2");
    assertThat(shown).containsExactly("one", "two");
  }

  @Test
  void aPageThatCannotBeKeptIsNotAcknowledged() {
    connect(1);
    say("one");
    bob.close();
    queue().forEach(drain::came);
    work();
    assertThat(asked).containsExactly("open null 0");
    assertThat(shown).isEmpty();
  }

  @Test
  void whatTheDeviceFailsAtKeepsItFromNothingElse() {
    connect(1);
    say("one");
    drain.came(queue().getFirst());
    drain.came(broken(2));
    work();
    drain.came(rubbish(3));
    work();
    assertThat(shown).containsExactly("one", "Dropped", "Dropped");
    assertThat(asked)
        .endsWith("reject 1 2 undecryptable", "ack 1 2", "reject 1 3 undecryptable", "ack 1 3");
  }

  /// One that no server sends.
  private QueuedEnvelope broken(long number) {
    return new QueuedEnvelope.Content(
        new QueueSeq(number),
        EPOCH,
        ROOM,
        new Seq(98),
        ann.account,
        ann.name,
        new ClientId("b-" + number),
        1,
        null,
        new Opaque(Collections.<String>singletonList(null).getFirst()),
        null);
  }
}
