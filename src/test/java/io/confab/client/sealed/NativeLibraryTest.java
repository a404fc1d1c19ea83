package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import de.connect2x.trixnity.vodozemac.megolm.GroupSession;
import de.connect2x.trixnity.vodozemac.megolm.MegolmSessionConfig;
import de.connect2x.trixnity.vodozemac.sas.Sas;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
  @Test
  void aProcessThatIsKilledLeavesNoCopyOfIt() {
    assertThat(Vodozemac.isLoaded()).isTrue();
    try (var account = Vodozemac.newAccount();
        var key = account.getEd25519Key();
        var signature = account.sign("text");
        var sender = GroupSession.Companion.invoke(MegolmSessionConfig.Companion.v1());
        var sas = new Sas()) {
      key.verify("text", signature);
      assertThat(sender.encrypt("line").getBase64()).isNotEmpty();
      assertThat(sas.getPublicKey().getBase64()).isNotEmpty();
    }
    assertThat(NativeLibrary.mapped()).isEmpty();
  }
}
