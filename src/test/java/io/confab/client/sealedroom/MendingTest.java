package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.EPOCH;
import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.QueueEvent;
import io.confab.client.QueuedEnvelope;
import io.confab.client.sealed.LetterTo;
import io.confab.client.sealed.Opened;
import io.confab.client.sealed.Received;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Opaque;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Seq;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MendingTest {
  private static final QueueEvent DRAINED = new QueueEvent.Drained(new QueueSeq(1));

  private final MemoryServer server = new MemoryServer();
  private final List<Person> people = new ArrayList<>();
  private Path temp;
  private Person ann;
  private Person bob;
  private Mending mending;
  private boolean ready = true;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    ann = join(17, "a");
    bob = join(18, "b");
    mending = new Mending(bob.roster, bob.claims, bob.device, () -> ready);
  }

  @AfterEach
  void part() {
    people.forEach(Person::close);
  }

  private Person join(long account, String name) {
    Person person = Person.ready(server, temp, account, name);
    people.add(person);
    server.members.add(person.account);
    return person;
  }

  /// Something of Ann's for which Bob has no key.
  private List<Opened> open(long number) {
    Received received =
        QueueDrain.received(
            new QueuedEnvelope.Content(
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
                    "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"sender_key\":\"k\","
                        + "\"device_id\":\"a\",\"session_id\":\"none\",\"ciphertext\":\"c\"}"),
                null));
    return bob.device.ask(own -> own.open(List.of(received))).result();
  }

  private List<AccountId> told() {
    return server.loose.stream()
        .flatMap(List::stream)
        .map(LetterTo::device)
        .map(device -> device.accountId())
        .distinct()
        .toList();
  }

  @Test
  void whoOnlyReadsIsToldTheKeyAgainAfterSomethingThatCannotBeOpened() {
    ann.sends.say(ROOM, "before");
    bob.roster.of(ROOM);
    mending.opened(open(1));
    assertThat(told()).containsExactly(ann.account);
    ann.hear(server);
    ann.sends.say(ROOM, "after");
    assertThat(server.sends.getLast().envelopes())
        .extracting(letter -> letter.device().accountId())
        .containsExactly(bob.account);
  }

  /// What others seal is not for it, and keys of them are few.
  @Test
  void aDeviceThatTakesNoPartAsksForNothing() {
    ready = false;
    bob.roster.of(ROOM);
    server.asked.clear();
    mending.opened(open(1));
    bob.sealed.goOn(new Epoch(2), new QueueSeq(1), true);
    mending.queued(DRAINED);
    assertThat(server.asked).isEmpty();
    ready = true;
    mending.opened(List.of());
    assertThat(server.asked).isEmpty();
  }

  @Test
  void aPageThatCouldBeOpenedAsksNobodyAnything() {
    bob.roster.of(ROOM);
    mending.opened(open(1));
    server.asked.clear();
    mending.opened(List.of(new Opened.Taken(new QueueSeq(2))));
    assertThat(server.asked).isEmpty();
  }

  @Test
  void whatIsOwedAfterNumbersWereLostIsToldOnceAllHasCome() {
    bob.sends.say(ROOM, "before");
    bob.sealed.goOn(new Epoch(2), new QueueSeq(1), true);
    assertThat(server.loose).isEmpty();
    mending.queued(DRAINED);
    assertThat(told()).containsExactly(ann.account);
    mending.queued(DRAINED);
    assertThat(server.loose).hasSize(1);
  }

  @Test
  void oneThatIsGoneKeepsNobodyElseFromBeingTold() {
    Person carol = join(19, "c");
    Person dave = join(20, "d");
    bob.sends.say(ROOM, "before");
    server.remove(carol.account, carol.name);
    bob.sealed.goOn(new Epoch(2), new QueueSeq(1), true);
    mending.queued(DRAINED);
    for (Person person : List.of(ann, dave)) {
      assertThat(server.queue(person.account, person.name)).hasSize(2);
    }
  }
}
