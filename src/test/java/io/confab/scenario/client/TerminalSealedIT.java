package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal.Open;
import io.confab.scenario.Terminal.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Sealed rooms in the terminal, against a node.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalSealedIT {
  private Nodes nodes;

  @BeforeAll
  void start() {
    nodes = Nodes.start(1);
  }

  @AfterAll
  void stop() {
    nodes.close();
  }

  private SealedPerson person(Path files, String handle) {
    return SealedPerson.of(files.resolve(handle), handle, nodes.port(0));
  }

  @Test
  void twoPeopleSealTheirRoomAndFindWhatTheySaidAfterARestart(@TempDir Path files)
      throws IOException {
    SealedPerson anna = person(files, "anna");
    SealedPerson bert = person(files, "bert");
    Open annas = anna.chat("@bert");
    anna.types("in the open");
    anna.sees("#1 ✓ anna: in the open");
    Open berts = bert.chat("@anna");
    bert.sees("#1 anna: in the open");
    anna.isReady("@bert");
    bert.isReady("@anna");

    anna.types("/seal");
    anna.sees("* It is for ever", "not post-quantum", "* /seal yes seals it.");
    anna.types("/seal yes");
    anna.sees("anna sealed this room, for ever", "sealed, not verified");
    bert.sees("anna sealed this room, for ever", "sealed, not verified");
    anna.types("the first secret");
    anna.sees("#2 🔒 ✓ anna: the first secret");
    bert.sees("#2 🔒 anna: the first secret");
    bert.types("understood");
    anna.sees("#3 🔒 bert: understood", "#2 ✓✓");
    anna.types("/edit 2 other");
    anna.sees("✗ there are no changes in sealed rooms yet");
    anna.types("/expire 3600");
    bert.sees("* what is said from here on goes 1 h after it was read");

    bert.quits(berts);
    anna.types("said while nobody looked");
    anna.sees("🔒 ✓ anna: said while nobody looked");
    bert.forgetsSignIn();
    Open again = bert.chat("@anna");
    bert.sees(
        "#1 anna: in the open",
        "#2 🔒 anna: the first secret",
        "🔒 ✓✓ bert: understood",
        "🔒 anna: said while nobody looked");
    bert.types("/search SECRET first");
    bert.sees("@anna #2 anna: the first secret");
    bert.types("/history 1");
    bert.sees("* there is nothing older");

    Result piped = anna.pipes("plain\n", "@bert");
    assertThat(piped).returns(1, Result::exit);
    assertThat(piped.err()).contains("sealed rooms need a window");
    bert.quits(again);
    anna.quits(annas);
  }

  @Test
  void twoPeopleVerifyEachOther(@TempDir Path files) {
    SealedPerson cleo = person(files, "cleo");
    SealedPerson dora = person(files, "dora");
    Open cleos = cleo.chat("@dora");
    Open doras = dora.chat("@cleo");
    cleo.isReady("@dora");
    dora.isReady("@cleo");
    cleo.types("/seal yes");
    dora.sees("cleo sealed this room");

    cleo.types("/verify dora");
    cleo.sees("/match dora if dora sees the same");
    dora.sees("/match cleo if cleo sees the same");
    assertThat(cleo.emojis()).hasSize(7).isEqualTo(dora.emojis());
    cleo.types("/match dora");
    dora.types("/match cleo");

    cleo.sees("* dora is verified", "sealed, verified");
    dora.sees("* cleo is verified", "sealed, verified");
    dora.quits(doras);
    cleo.quits(cleos);
  }
}
