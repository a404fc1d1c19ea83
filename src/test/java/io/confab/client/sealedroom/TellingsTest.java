package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.SealedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.SealedStore;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TellingsTest {
  private final MemoryServer server = new MemoryServer();
  private final List<String> released = new ArrayList<>();
  private Path temp;
  private Person ann;
  private Person bob;
  private Tellings tellings;

  @BeforeEach
  void meet(@TempDir Path folder) {
    temp = folder;
    ann = Person.ready(server, temp, 17, "a");
    bob = Person.ready(server, temp, 18, "b");
    server.members.addAll(List.of(ann.account, bob.account));
    tellings =
        new Tellings(
            new SealedListener() {
              @Override
              public void released(List<SealedLine> lines) {
                lines.forEach(line -> released.add(line.text()));
              }
            },
            ann.device);
  }

  @AfterEach
  void part() {
    ann.close();
    bob.close();
  }

  /// Both see the same emoji and say so; answers the last step of Ann's.
  private Comparison compare() {
    ann.comparing.begin(bob.account);
    exchange();
    ann.comparing.matches(ann.steps.getLast().with(), ann.steps.getLast().id(), true);
    exchange();
    bob.comparing.matches(bob.steps.getLast().with(), bob.steps.getLast().id(), true);
    exchange();
    assertThat(ann.steps.getLast().stage()).isEqualTo(Comparison.Stage.VERIFIED);
    return ann.steps.getLast();
  }

  private void exchange() {
    for (int i = 0; i < 8; i++) {
      ann.hear(server);
      bob.hear(server);
    }
  }

  private void learn() {
    ann.roster.doubt(List.of(bob.account));
    ann.roster.learn(List.of(bob.account));
  }

  @Test
  void whatTheServerTellsAfterAComparisonIsNotAcceptedByIt() {
    Comparison verified = compare();
    AccountId account = bob.account;
    try (SealedDevice other =
        SealedDevice.open(
            SealedStore.open(temp.resolve("other")), account, new DeviceId("other"))) {
      server.identities.put(account, other.createIdentity());
    }
    learn();
    tellings.compared(verified);
    assertThat(ann.sealed.trust(account)).isEqualTo(Trust.CHANGED);
  }

  @Test
  void whatWaitedForAComparisonIsShownAfterIt() {
    learn();
    server.identities.remove(bob.account);
    server.remove(bob.account, bob.name);
    bob.close();
    bob = Person.ready(server, temp.resolve("anew"), 18, "b2");
    learn();
    bob.sends.say(ROOM, "it is me");
    assertThat(ann.hear(server)).isEmpty();
    tellings.compared(compare());
    assertThat(ann.sealed.trust(bob.account)).isEqualTo(Trust.VERIFIED);
    assertThat(released).containsExactly("it is me");
  }
}
