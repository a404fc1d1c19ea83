package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.QueueSeq;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A device that is killed while it opens what the queue brings: it comes again, nothing is lost
/// and nothing shown twice.
class KilledDeviceTest {
  private static final int KILLS = 200;

  private final HonestServer server = new HonestServer();
  private Path temp;
  private Talker alice;
  private Talker bob;
  private AccountId[] both;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    alice = Talker.first(server, temp, 17, "a");
    bob = Talker.first(server, temp, 18, "b");
    both = new AccountId[] {alice.account(), bob.account()};
    alice.ask(both);
    bob.ask(both);
  }

  @AfterEach
  void part() {
    alice.close();
    bob.close();
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void killedBetweenDecryptingAndStoringItOpensTheLineWhenItComesAgain() {
    List<String> said = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < KILLS; i++) {
      said.add("line " + i);
      alice.say(said.getLast(), both);
      assertThatThrownBy(this::openAndBeKilled).isInstanceOf(Killed.class);
      if (i % 20 == 0) {
        bob.restart();
      }
      assertThat(bob.texts()).isEqualTo(shown);
      shown.addAll(bob.hear());
      assertThat(shown).isEqualTo(said);
      // The acknowledgement is lost with it.
      assertThat(bob.device().open(server.queueAfter(bob.place, new QueueSeq(i))))
          .containsExactly(new Opened.Past(new QueueSeq(i + 1L)));
    }
    assertThat(bob.texts()).isEqualTo(said);
  }

  @Test
  void killedAtAnyByteOfWhatItStoresItOpensTheLineWhenItComesAgain() throws IOException {
    Random random = new Random(8);
    List<String> said = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < KILLS; i++) {
      if (i % 7 == 3) {
        // Another key, so that sessions and keys change as well.
        alice.device().letter(bob.place, "m.dummy", SealedJson.object());
        alice.store().change(changes -> changes.remove("send/" + Talker.ROOM));
      }
      said.add("line " + i);
      alice.say(said.getLast(), both);
      long before = Files.size(log());
      bob.device().open(server.queueAfter(bob.place, new QueueSeq(i)));
      byte[] after = Files.readAllBytes(log());
      if (after.length > before) {
        int length = (int) before + random.nextInt(after.length - (int) before);
        bob.device().close();
        Files.write(log(), Arrays.copyOf(after, length));
        bob.restartClosed();
        assertThat(bob.texts()).isEqualTo(shown);
        shown.addAll(bob.hear());
      } else {
        shown.add(said.getLast());
      }
      assertThat(shown).isEqualTo(said);
    }
    bob.restart();
    assertThat(bob.texts()).isEqualTo(said);
    assertThat(bob.warnings).isEmpty();
  }

  /// A page is one transaction: all of it is kept or nothing.
  @Test
  void killedWhileItStoresAPageItOpensAllOfIt() throws IOException {
    for (String text : List.of("one", "two", "three")) {
      alice.say(text, both);
    }
    long before = Files.size(log());
    assertThat(bob.hear()).containsExactly("one", "two", "three");
    byte[] after = Files.readAllBytes(log());
    for (int length = (int) before; length < after.length; length += 97) {
      bob.device().close();
      Files.write(log(), Arrays.copyOf(after, length));
      bob.restartClosed();
      assertThat(bob.texts()).isEmpty();
      assertThat(bob.hear()).containsExactly("one", "two", "three");
    }
  }

  @Test
  void killedBeforeItRejectsWhatItCouldNotReadItRejectsThatLater() {
    alice.say("one", both);
    Received.Envelope told =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).getFirst();
    bob.device().open(List.of(Lie.about(told).body(null).told()));
    bob.restart();
    assertThat(bob.device().toReject()).containsExactly(new QueueSeq(1));
    bob.device().rejected(new QueueSeq(1));
    bob.restart();
    assertThat(bob.device().toReject()).isEmpty();
  }

  @Test
  void whatIsToBeRejectedGoesWithItsQueue() {
    alice.say("one", both);
    Received.Envelope told =
        (Received.Envelope) server.queueAfter(bob.place, new QueueSeq(0)).getFirst();
    bob.device().open(List.of(Lie.about(told).body(null).told()));
    bob.device().goOn(new Epoch(2), new QueueSeq(1), true);
    assertThat(bob.device().toReject()).isEmpty();
  }

  /// What a device does with a page, up to where it would be kept.
  private void openAndBeKilled() {
    Pins pins = new Pins();
    DeviceAccount own = new DeviceAccount(bob.account(), bob.place.deviceId());
    OlmSessions sessions = new OlmSessions(own);
    Repairs repairs = new Repairs(new DeviceLists(pins), pins, sessions, new SenderKeys(own));
    Opening opening = new Opening(pins, sessions, new ReceivedKeys(), repairs, new Lines(pins));
    QueueSeq position = bob.device().position().orElseThrow().queueSeq();
    bob.store()
        .change(
            changes -> {
              for (Received received : server.queueAfter(bob.place, position)) {
                assertThat(opening.open(changes, received)).isInstanceOf(Opened.Shown.class);
              }
              throw new Killed();
            });
  }

  private Path log() {
    return temp.resolve("18b").resolve("sealed.log");
  }
}
