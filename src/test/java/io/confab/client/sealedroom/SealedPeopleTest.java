package io.confab.client.sealedroom;

import static io.confab.client.sealedroom.MemoryServer.ROOM;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedPeopleTest {
  @Test
  void thatSomebodyIsBelievedIsToldAlsoWhereNoLineWaits(@TempDir Path temp) {
    MemoryServer server = new MemoryServer();
    Person ann = Person.ready(server, temp, 17, "a");
    Person bob = Person.ready(server, temp, 18, "b");
    server.members.addAll(List.of(ann.account, bob.account));
    ann.roster.of(ROOM);
    List<AccountId> believed = new ArrayList<>();
    SealedListener listener =
        new SealedListener() {
          @Override
          public void believed(AccountId account) {
            believed.add(account);
          }
        };

    new Tellings(listener, ann.device).accept(bob.account);

    assertThat(believed).containsExactly(bob.account);
    ann.close();
    bob.close();
  }
}
