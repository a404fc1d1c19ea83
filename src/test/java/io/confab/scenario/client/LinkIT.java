package io.confab.scenario.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.scenario.Nodes;
import io.confab.scenario.Terminal.Open;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A person gets the identity of their account on another window.
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LinkIT {
  private static final Pattern KEY = Pattern.compile("(?:[0-9A-Z]{4}-){7}[0-9A-Z]{4}");

  private static final Pattern CODE = Pattern.compile("[0-9A-Z]{5}-[0-9A-Z]{5}(?![0-9A-Z-])");

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

  private SealedPerson again(Path files, String handle) {
    return SealedPerson.again(files.resolve(handle + "-again"), handle, nodes.port(0));
  }

  private static String found(SealedPerson on, Pattern pattern) {
    return pattern.matcher(on.screen()).results().map(MatchResult::group).findFirst().orElseThrow();
  }

  @Test
  void aFreshWindowGetsTheIdentityByTheRecoveryKeyAndGoesOn(@TempDir Path files) {
    SealedPerson rita = person(files, "rita");
    SealedPerson sven = person(files, "sven");
    Open ritas = rita.chat("@sven");
    Open svens = sven.chat("@rita");
    rita.isReady("@sven");
    sven.isReady("@rita");
    rita.types("/seal yes");
    sven.sees("rita sealed this room");
    sven.types("said before");
    rita.sees("sven: said before");
    rita.types("/recover");
    rita.sees("* There is no recovery key of your account");
    rita.types("/recover new");
    rita.sees("* /recover new yes makes it.");
    rita.types("/recover new yes");
    rita.sees("* Your recovery key.", "* On a new window of yours");
    String key = found(rita, KEY);
    rita.types("/recover");
    rita.sees("* Your recovery key was made at");
    rita.quits(ritas);

    SealedPerson wiped = again(files, "rita");
    Open fresh = wiped.chat("@sven", "laptop");
    wiped.sees("this one is not linked");
    wiped.types("/recover " + key);
    wiped.sees("✗ a recovery key does not belong into the line");
    wiped.types("/recover");
    wiped.sees("Recovery key, or nothing:");
    wiped.types(key.replace(key.charAt(0), key.charAt(0) == 'A' ? 'B' : 'A'));
    wiped.sees("✗ that is no recovery key");
    wiped.types("/recover");
    wiped.types(key.toLowerCase(Locale.ROOT));
    wiped.sees("* This window has your identity");
    sven.types("said to all of you");
    wiped.sees("sven: said to all of you");
    wiped.types("here again");
    sven.sees("rita: here again");
    assertThat(sven.screen()).doesNotContain("⚠");
    assertThat(wiped.screen()).doesNotContain("sven: said before").doesNotContain("made at");
    wiped.types("/recover");
    wiped.sees("* Your recovery key was made at");
    wiped.quits(fresh);
    sven.quits(svens);

    Open old = rita.chat("@sven");
    rita.sees("sven: said before", "sven: said to all of you", "rita: here again");
    rita.types("/devices rita");
    rita.sees("* rita: verified");
    assertThat(rita.screen()).containsPattern("(?s)(gets what is sealed.*){2}");
    assertThat(rita.screen()).doesNotContain("⚠").doesNotContain("gets nothing");
    rita.quits(old);
  }

  @Test
  void whoLostEverythingMakesAnotherIdentityThatOthersAcceptOrNot(@TempDir Path files) {
    SealedPerson vera = person(files, "vera");
    SealedPerson wim = person(files, "wim");
    Open veras = vera.chat("@wim");
    Open wims = wim.chat("@vera");
    vera.isReady("@wim");
    wim.isReady("@vera");
    vera.types("/recover reset");
    vera.sees("✗ this window has the identity of your account; nothing is to be reset");
    vera.types("/seal yes");
    wim.sees("vera sealed this room");
    wim.types("said before");
    vera.sees("wim: said before");
    vera.quits(veras);

    SealedPerson wiped = again(files, "vera");
    Open fresh = wiped.chat("@wim", "laptop");
    wiped.sees("where neither is left");
    wiped.types("/recover reset");
    wiped.sees("* Others are warned that your keys changed", "* /recover reset yes makes it.");
    wiped.types("/recover reset yes");
    wiped.sees(
        "* Your account got the identity of this window", "* It reads what is said from here on");
    wim.sees("vera has other keys than before", "KEYS CHANGED");
    wiped.types("it is me");
    wiped.sees("✓ vera: it is me");
    assertThat(wim.screen()).doesNotContain("it is me");
    wim.types("/trust vera");
    wim.sees("* The other keys of vera are accepted.", "vera: it is me");
    wim.types("welcome back");
    wiped.sees("wim: welcome back");
    assertThat(wiped.screen()).doesNotContain("said before");
    wiped.quits(fresh);
    wim.quits(wims);

    Open old = vera.chat("@wim");
    vera.sees("other keys of your own account", "/recover reset puts that of this window");
    vera.quits(old);
  }

  @Test
  void aWipedWindowThatIsLinkedReadsWhatWasSaidAndGoesOn(@TempDir Path files) {
    SealedPerson tina = person(files, "tina");
    SealedPerson ulli = person(files, "ulli");
    Open tinas = tina.chat("@ulli");
    Open ullis = ulli.chat("@tina");
    tina.isReady("@ulli");
    ulli.isReady("@tina");
    tina.types("/seal yes");
    ulli.sees("tina sealed this room");
    ulli.types("said before");
    tina.sees("ulli: said before");
    tina.types("answered before");
    ulli.sees("tina: answered before");
    tina.types("/link");
    tina.sees("* This window has your identity.");

    SealedPerson wiped = again(files, "tina");
    Open fresh = wiped.chat("@ulli", "laptop");
    wiped.types("/link");
    wiped.sees("it is good for one try:");
    String code = found(wiped, CODE);
    tina.sees("* A window of yours asks to be linked: laptop (");
    tina.types("/link " + (code.startsWith("A") ? "B" : "A") + code.substring(1, 10));
    tina.sees("✗ that is no such code");
    tina.types("/link " + code.toLowerCase(Locale.ROOT));
    tina.sees(") has the code. /link yes");
    wiped.sees("* The code is right; say yes on");
    tina.types("/link yes");
    wiped.sees("* All is there, with 2 lines.", "ulli: said before", "tina: answered before");
    tina.sees("has your identity and 2 lines.");

    ulli.types("said to all of you");
    wiped.sees("ulli: said to all of you");
    tina.sees("ulli: said to all of you");
    wiped.types("here again");
    ulli.sees("tina: here again");
    tina.sees("tina: here again");
    assertThat(ulli.screen()).doesNotContain("other keys");
    wiped.quits(fresh);
    Open restarted = wiped.chat("@ulli", "laptop");
    wiped.sees("ulli: said before", "tina: answered before", "tina: here again");
    wiped.quits(restarted);
    tina.quits(tinas);
    ulli.quits(ullis);
  }
}
