package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.ApiException;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealedroom.SealedRecovery;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.Secret;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class RecoveryDialogTest {
  /// Eighteen zeros and their checksum.
  private static final String KEY = "0000-0000-0000-0000-0000-0000-0000-0HDB";

  private final StringWriter out = new StringWriter();
  private final Rooms rooms = new Rooms();
  private final RecoveryDialog dialog =
      new RecoveryDialog(rooms, new PlainScreen(new PrintWriter(out), true));

  /// What a device answers.
  private static final class Rooms implements SealedAccess {
    private boolean fresh;
    private Future<Optional<SealedRecovery.Present>> vault =
        Future.succeededFuture(Optional.empty());
    private Future<Optional<RecoveryKey>> made = Future.succeededFuture(RecoveryKey.read(KEY));
    private Recovered outcome = Recovered.DONE;
    private Optional<SealedState> state = Optional.of(SealedState.READY);
    private @Nullable Future<Optional<SealedState>> set;
    private int asked;

    @Override
    public Future<Optional<SealedState>> resetIdentity() {
      asked++;
      return set == null ? Future.succeededFuture(state) : set;
    }

    @Override
    public Future<Boolean> isToRecover() {
      return Future.succeededFuture(fresh);
    }

    @Override
    public Future<Optional<SealedRecovery.Present>> vault() {
      return vault;
    }

    @Override
    public Future<Optional<RecoveryKey>> newRecoveryKey() {
      asked++;
      return made;
    }

    @Override
    public Future<SealedRecovery.Opened> recover(RecoveryKey key) {
      asked++;
      return Future.succeededFuture(new SealedRecovery.Opened(outcome, state));
    }
  }

  @Test
  void aWindowWithTheIdentitySaysWhetherAndWhenAKeyWasMade() throws IOException {
    dialog.run(List.of());
    assertThat(out.toString()).contains("no recovery key of your account");
    rooms.vault =
        Future.succeededFuture(
            Optional.of(new SealedRecovery.Present(Optional.of(Instant.ofEpochMilli(0)), false)));
    dialog.run(List.of());
    assertThat(out.toString())
        .contains("made at " + Lists.when(0), "What you verified and sealed since is not in");
    rooms.vault =
        Future.succeededFuture(Optional.of(new SealedRecovery.Present(Optional.empty(), false)));
    dialog.run(List.of());
    assertThat(out.toString()).contains("something else than this program makes");
  }

  @Test
  void aKeyOfAFormerIdentityIsSaidToOpenNothingAndNotAskedFor() throws IOException {
    rooms.vault =
        Future.succeededFuture(
            Optional.of(new SealedRecovery.Present(Optional.of(Instant.ofEpochMilli(0)), true)));
    dialog.run(List.of());
    rooms.fresh = true;
    dialog.run(List.of());
    String former =
        "* Your recovery key was made at %s, the server says, for another identity than your"
            .formatted(Lists.when(0));
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith(former).endsWith("/recover new makes another one."),
            line -> assertThat(line).startsWith(former).contains("/link", "/recover reset"));
    assertThat(rooms.asksForKey().result()).isFalse();
  }

  @Test
  void aKeyIsMadeOnceThePersonSaidYesAndShownOnce() throws IOException {
    dialog.run(List.of("new"));
    assertThat(rooms.asked).isZero();
    assertThat(out.toString()).contains("nothing that was said", "* /recover new yes makes it.");
    dialog.run(List.of("new", "yes"));
    assertThat(rooms.asked).isEqualTo(1);
    assertThat(out.toString().lines()).containsOnlyOnce("    " + KEY);
    assertThat(out.toString()).contains("It stays in the memory of this terminal");
  }

  @Test
  void whatGoesIntoAFileOrAPipeGetsNoKey() {
    RecoveryDialog paper = new RecoveryDialog(rooms, new PlainScreen(new PrintWriter(out), false));
    assertThatThrownBy(() -> paper.run(List.of("new", "yes")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without --plain");
    assertThat(rooms.asked).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aKeyInTheLineIsNotTaken() {
    assertThatThrownBy(() -> dialog.run(List.of(KEY)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not belong into the line")
        .hasMessageNotContaining(KEY);
    assertThat(rooms.asked).isZero();
  }

  @Test
  void aKeyIsAskedForOnlyWhereThereIsOneAndItIsOfUse() throws IOException {
    assertThat(rooms.asksForKey().result()).isFalse();
    rooms.fresh = true;
    assertThat(rooms.asksForKey().result()).isFalse();
    dialog.run(List.of());
    assertThat(out.toString()).contains("no recovery key of your account. /link gets");
    rooms.vault =
        Future.succeededFuture(Optional.of(new SealedRecovery.Present(Optional.empty(), false)));
    assertThat(rooms.asksForKey().result()).isTrue();
  }

  @Test
  void aWindowWithoutTheIdentityProposesNone() {
    rooms.fresh = true;
    assertThatThrownBy(() -> dialog.run(List.of("new")))
        .hasMessageContaining("does not have the identity");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aWindowWithoutTheIdentityMakesNone() {
    rooms.made = Future.succeededFuture(Optional.empty());
    assertThatThrownBy(() -> dialog.run(List.of("new", "yes")))
        .hasMessageContaining("does not have the identity");
  }

  @Test
  void whereItIsNotKnownWhatBecameOfAVaultThePersonIsToldSo() {
    rooms.made = Future.failedFuture(ApiException.local("unreachable", "nobody answers"));
    assertThatThrownBy(() -> dialog.run(List.of("new", "yes"))).isInstanceOf(ApiException.class);
    assertThat(out.toString()).doesNotContain(KEY);
  }

  @Test
  void theIdentityIsResetOnceThePersonSaidYes() throws IOException {
    rooms.fresh = true;
    dialog.run(List.of("reset"));
    assertThat(rooms.asked).isZero();
    assertThat(out.toString())
        .contains("Others are warned", "stays lost here", "* /recover reset yes makes it.");
    dialog.run(List.of("RESET", "yes"));
    assertThat(rooms.asked).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "* Your account got the identity of this window",
            "* It reads what is said from here",
            "/recover new makes another");
    rooms.state = Optional.empty();
    dialog.run(List.of("reset", "yes"));
    assertThat(out.toString()).contains("* The server has not taken its keys yet");
  }

  @Test
  void aWindowWithTheIdentityResetsNone() {
    assertThatThrownBy(() -> dialog.run(List.of("reset")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing is to be reset");
    assertThat(rooms.asked).isZero();
  }

  @Test
  void whereItIsNotKnownWhetherTheIdentityIsSetThePersonIsToldSo() {
    rooms.set = Future.failedFuture(ApiException.local("unreachable", "nobody answers"));
    assertThatThrownBy(() -> dialog.run(List.of("reset", "yes"))).isInstanceOf(ApiException.class);
    assertThat(out.toString())
        .contains("is not known")
        .doesNotContain("got the identity of this window.");
  }

  @Test
  void aSlipOfThePenIsToldWithoutAskingAnybody() throws IOException {
    assertThatThrownBy(() -> dialog.open(new Secret(KEY.replace('H', 'Z'))))
        .hasMessageContaining("one of them at least is another one");
    assertThat(rooms.asked).isZero();
    dialog.open(new Secret(KEY));
    assertThat(out.toString())
        .contains("This window has your identity", "what was said before was not kept");
  }

  @Test
  void whoGotTheIdentityAndTakesNoPartIsToldWhyAndNotThatItReads() throws IOException {
    rooms.state = Optional.of(SealedState.TOO_MANY_DEVICES);
    dialog.open(new Secret(KEY));
    assertThat(out.toString())
        .contains("* This window has your identity", "⚠ too many of your devices have keys")
        .doesNotContain("reads what is said");
    rooms.state = Optional.empty();
    dialog.open(new Secret(KEY));
    assertThat(out.toString())
        .contains("The server has not taken its keys yet")
        .doesNotContain("reads what is said");
  }

  @ParameterizedTest
  @EnumSource(value = Recovered.class, mode = EnumSource.Mode.EXCLUDE, names = "DONE")
  void whateverIsWrongHasWordsOfItsOwn(Recovered outcome) {
    rooms.outcome = outcome;
    assertThatThrownBy(() -> dialog.open(new Secret(KEY)))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("[a-z].{20,}");
    assertThat(out.toString()).isEmpty();
  }
}
