package io.confab.scenario.client;

import static io.confab.testing.Futures.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.RoomId;
import io.confab.scenario.Nodes;
import io.confab.testing.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two devices of an account that are not linked give it their identities in turn.
@Timeout(400)
class PutOutIT {
  private Nodes nodes;
  private SealedChat bob;
  private SealedChat first;
  private SealedChat second;
  private int tries;

  @BeforeEach
  void start(@TempDir Path folder) {
    nodes = Nodes.start(1);
    bob = SealedChat.of("bob", nodes.vertx(), nodes.port(0), folder.resolve("bob"));
    first = SealedChat.of("ann", nodes.vertx(), nodes.port(0), folder.resolve("first"));
    awaitState(first, SealedState.READY);
    second = first.stranger("ann", nodes.vertx(), nodes.port(0), folder.resolve("second"));
    awaitState(second, SealedState.NOT_LINKED);
  }

  @AfterEach
  void stop() {
    second.close();
    first.close();
    bob.close();
    nodes.close();
  }

  private static void awaitState(SealedChat chat, SealedState state) {
    await().until(() -> !chat.states.isEmpty() && chat.states.getLast() == state);
  }

  /// Tried again where this machine stood still between the line and what puts the device out.
  @Test
  void whatWasSaidJustBeforeIsTold() {
    awaitState(bob, SealedState.READY);
    RoomId room = get(first.api.createDirect(bob.account())).roomId();
    get(first.api.keeping(room).seal());
    await()
        .ignoreExceptions() // of calls that a machine that stands still does not answer in time
        .until(
            () -> {
              if (first.states.getLast() != SealedState.READY) {
                get(first.rooms.recovery().reset());
                awaitState(first, SealedState.READY);
              }
              String text = "line " + ++tries;
              get(first.rooms.say(room, text));
              get(second.rooms.recovery().reset());
              awaitState(first, SealedState.NOT_LINKED);
              return Patience.soon(() -> first.unheard.contains(text));
            });
    assertThat(second.unheard).isEmpty();
  }
}
