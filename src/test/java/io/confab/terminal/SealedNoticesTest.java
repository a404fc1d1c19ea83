package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class SealedNoticesTest {
  private static final AccountId BEN = new AccountId(11);

  private static final AccountId ADA = new AccountId(10);
  private static final DeviceId PHONE = new DeviceId("phone");

  private final StringWriter out = new StringWriter();
  private final PlainScreen screen = new PlainScreen(new PrintWriter(out), false);
  private final SealedNotices notices = new SealedNotices(screen, ADA, _ -> "ben", "");

  @Test
  void eachWarningIsToldOnce() {
    notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY));
    notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY));

    assertThat(out.toString().lines())
        .containsExactly(
            "⚠ ben has other keys than before: they began anew, or somebody stands between you."
                + " What they write waits and nothing is sealed for them, until /trust ben. /verify"
                + " ben compares first.");
  }

  @Test
  void aLineThatOthersMayNotSeeIsShownAsWhatItIs() {
    notices.unheard(
        new SealedLine(
            new RoomId(1),
            new Seq(2),
            ADA,
            PHONE,
            new ClientId("c"),
            0,
            "to nobody",
            null,
            null,
            null));

    assertThat(out.toString().lines())
        .containsExactly(
            "✗ others may not see this, which was said about when your account got another"
                + " identity: to nobody");
  }

  @Test
  void anotherIdentityIsToldOnceForTheAccountAndItsDevices() {
    assertThat(notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY))).isTrue();
    assertThat(notices.warned(new Warning(BEN, PHONE, Doubt.CHANGED_IDENTITY))).isFalse();
    notices.warned(new Warning(BEN, new DeviceId("desk"), Doubt.CHANGED_IDENTITY));
    assertThat(out.toString().lines()).hasSize(1);

    notices.warned(new Warning(BEN, PHONE, Doubt.UNSIGNED_DEVICE));
    notices.warned(new Warning(BEN, new DeviceId("desk"), Doubt.UNSIGNED_DEVICE));
    assertThat(out.toString().lines()).hasSize(3);
  }

  @Test
  void whoIsBelievedAndChangesOnceMoreIsWarnedOfAnew() {
    notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY));
    notices.believed(new AccountId(12));
    assertThat(notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY))).isFalse();

    notices.believed(BEN);
    assertThat(notices.warned(new Warning(BEN, null, Doubt.CHANGED_IDENTITY))).isTrue();
  }

  @Test
  void oneIsNotAdvisedToTrustOneself() {
    notices.warned(new Warning(ADA, null, Doubt.CHANGED_IDENTITY));

    assertThat(out.toString()).contains("your own account").doesNotContain("/trust");
  }

  @Test
  void howManyLinesCannotBeOpenedIsTold() {
    for (int i = 0; i < 10_000; i++) {
      notices.warned(new Warning(BEN, i % 2 == 0 ? PHONE : null, Doubt.UNDECRYPTABLE));
    }

    assertThat(out.toString().lines())
        .hasSize(14)
        .startsWith(
            "⚠ something of ben cannot be opened here, and is lost; they are told so",
            "⚠ 2 lines of ben could not be opened here, and are lost")
        .endsWith("⚠ 8192 lines of ben could not be opened here, and are lost");
  }

  @ParameterizedTest
  @EnumSource(Doubt.class)
  void eachDoubtHasWords(Doubt doubt) {
    notices.warned(new Warning(BEN, null, doubt));

    assertThat(out.toString()).contains("ben").doesNotContain("_").doesNotContain("%");
  }

  @Test
  void thatTheWindowTakesNoPartIsToldWhereItMatters() {
    notices.state(SealedState.NOT_LINKED, false);
    assertThat(out.toString()).isEmpty();

    notices.tellAbsence();
    assertThat(out.toString()).contains("this one is not linked");
    out.getBuffer().setLength(0);
    notices.state(SealedState.NOT_LINKED, true);
    assertThat(out.toString()).isEmpty();
    notices.state(SealedState.READY, true);
    assertThat(notices.absence()).isEmpty();
    notices.state(SealedState.STORE_FAILED, false);
    assertThat(out.toString()).contains("⚠ what is said in sealed rooms cannot be kept here");
  }

  @Test
  void aWindowWhoseIdentityWasReplacedSaysSoAndWhatToDoUntilItTakesPart() {
    notices.state(SealedState.READY, true);
    notices.warned(new Warning(ADA, null, Doubt.CHANGED_IDENTITY));
    out.getBuffer().setLength(0);
    notices.state(SealedState.NOT_LINKED, true);
    assertThat(out.toString())
        .startsWith("⚠ your account has another identity than this window knows")
        .contains("/link gets it", "/recover reset puts that of this window")
        .contains("a recovery key that was made since");

    notices.state(SealedState.READY, true);
    notices.state(SealedState.NOT_LINKED, true);
    assertThat(notices.absence()).hasValueSatisfying(why -> assertThat(why).contains("not linked"));
    assertThat(notices.warned(new Warning(ADA, null, Doubt.CHANGED_IDENTITY))).isTrue();
  }

  @Test
  void whatFailedAtTheDiskIsNamedInOneLine() {
    notices.failed(new FileSystemException("/home/ada/sealed.log", null, "No space left"));
    notices.state(SealedState.STORE_FAILED, false);

    assertThat(out.toString())
        .isEqualTo(
            "⚠ the disk failed at what is kept of sealed rooms: /home/ada/sealed.log: No space"
                + " left; what is said in sealed rooms cannot be kept here; nothing is sent or"
                + " shown there until this window is opened again"
                + System.lineSeparator());
  }

  @Test
  void aWindowThatHasNoKeysSaysWhy() {
    SealedNotices refused = new SealedNotices(screen, ADA, _ -> "ben", "the folder is in use");

    refused.tellAbsence();
    assertThat(out.toString())
        .isEqualTo(
            "⚠ this window takes no part in sealed rooms: the folder is in use"
                + System.lineSeparator());
  }
}
