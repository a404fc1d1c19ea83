package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ConfabApi;
import io.confab.client.CredentialStore;
import io.confab.protocol.RoomId;
import io.confab.screen.PlainScreen;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a person reads before a room is sealed. No server is asked.
@ExtendWith(VertxExtension.class)
@Timeout(120)
class RoomSealingTest {
  private final StringWriter out = new StringWriter();
  private final ConfabApi api;
  private final RoomSealing sealing;

  RoomSealingTest(Vertx vertx) {
    api = new ConfabApi(vertx, List.of(URI.create("http://127.0.0.1:1")), CredentialStore.memory());
    sealing =
        new RoomSealing(api, new PlainScreen(new PrintWriter(out), false), _ -> Optional.of(true));
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void whoWillBeAbleToReadIsSaidBeforeThePersonSaysYes() throws IOException {
    assertThat(sealing.seal(new RoomId(1), List.of())).isEmpty();

    assertThat(out.toString())
        .contains(
            "* Browsers cannot read or say anything in it; of each account only the windows that"
                + " have its identity can:",
            "* /seal yes seals it.");
  }
}
