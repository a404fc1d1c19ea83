package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ApiException;
import io.confab.client.sealed.Comparison;
import io.confab.client.sealed.Comparison.Stage;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparingTest {
  private final MemoryServer server = new MemoryServer();
  private Person ann;
  private Person bob;

  @BeforeEach
  void meet(@TempDir Path temp) {
    ann = Person.ready(server, temp, 17, "a");
    bob = Person.ready(server, temp, 18, "b");
    server.members.addAll(List.of(ann.account, bob.account));
    bob.roster.of(ROOM);
  }

  @AfterEach
  void part() {
    ann.close();
    bob.close();
  }

  /// All that was sent arrives.
  private void exchange() {
    for (int i = 0; i < 8; i++) {
      ann.hear(server);
      bob.hear(server);
    }
  }

  private static Comparison last(Person person) {
    return person.steps.getLast();
  }

  private static void matches(Person person, boolean same) {
    person.comparing.matches(last(person).with(), last(person).id(), same);
  }

  @Test
  void bothSeeTheSameAndAreVerifiedOnceBothSaySo() {
    assertThat(ann.comparing.begin(bob.account).succeeded()).isTrue();
    exchange();
    assertThat(last(ann).stage()).isEqualTo(Stage.SHOWN);
    assertThat(last(ann).emojis()).hasSize(7).isEqualTo(last(bob).emojis());
    matches(ann, true);
    exchange();
    assertThat(last(ann).stage()).isEqualTo(Stage.CONFIRMED);
    matches(bob, true);
    exchange();
    assertThat(last(ann).stage()).isEqualTo(Stage.VERIFIED);
    assertThat(last(bob).stage()).isEqualTo(Stage.VERIFIED);
    assertThat(ann.sealed.trust(bob.account)).isEqualTo(Trust.VERIFIED);
    assertThat(bob.sealed.trust(ann.account)).isEqualTo(Trust.VERIFIED);
    assertThat(ann.sealed.inbox()).isEmpty();
  }

  @Test
  void whoSeesSomethingElseEndsItForBoth() {
    ann.comparing.begin(bob.account);
    exchange();
    matches(bob, false);
    exchange();
    assertThat(last(ann).stage()).isEqualTo(Stage.ENDED);
    assertThat(ann.sealed.trust(bob.account)).isEqualTo(Trust.PINNED);
  }

  @Test
  void whoHasNoDeviceIsNotFound() {
    Future<Comparison> begun = ann.comparing.begin(new AccountId(99));
    assertThat(begun.cause())
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.is(ErrorCode.NOT_FOUND)).isTrue());
  }

  @Test
  void whoIsNotSignedComparesNothing(@TempDir Path temp) {
    try (Person second = new Person(server, temp, 17, "second")) {
      assertThat(second.comparing.begin(bob.account).cause())
          .isInstanceOfSatisfying(
              ApiException.class,
              refusal -> assertThat(refusal.code()).isEqualTo(Attendance.ABSENT));
    }
  }
}
