package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.client.OwnDevice;
import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.LinkStep.Role;
import io.confab.client.sealed.LinkStep.Stage;
import io.confab.client.sealed.RoomDevice;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LinkDialogTest {
  private static final RoomDevice LAPTOP =
      new RoomDevice(new AccountId(11), new DeviceId("x1"), new RegistrationId(1));

  private final StringWriter out = new StringWriter();
  private final Rooms rooms = new Rooms();
  private final ChatQueue queue = new ChatQueue();
  private int came;
  private int lists;
  private final LinkDialog dialog =
      new LinkDialog(
          rooms,
          new PlainScreen(new PrintWriter(out), false),
          new DeviceNames(this::devices, queue),
          () -> came++);

  private Future<List<OwnDevice>> devices() {
    lists++;
    return Future.succeededFuture(
        List.of(new OwnDevice(LAPTOP.deviceId(), "laptop", "linux", false, 0, null, null, null)));
  }

  /// Also what comes later.
  private void step(LinkStep step) {
    dialog.step(step);
    queue.runAll();
  }

  /// What a device answers.
  private static final class Rooms implements SealedAccess {
    private static final LinkCode CODE = code();
    private final List<String> asked = new ArrayList<>();
    private boolean fresh;
    private boolean locked;
    private boolean nobody;

    private static LinkCode code() {
      return "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
          .chars()
          .mapToObj(letter -> LinkCode.read("ABCDEFGHJ" + (char) letter))
          .flatMap(Optional::stream)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public Future<Boolean> isToRecover() {
      return Future.succeededFuture(fresh);
    }

    @Override
    public Future<LinkCode> offerLink() {
      asked.add("offer");
      return Future.succeededFuture(CODE);
    }

    @Override
    public Future<Boolean> isLinkLocked() {
      return Future.succeededFuture(locked);
    }

    @Override
    public Future<Optional<LinkStep>> typeLink(LinkCode code) {
      asked.add(code.text());
      return answer(Stage.TYPED);
    }

    @Override
    public Future<Optional<LinkStep>> decideLink(boolean yes) {
      asked.add(yes ? "yes" : "no");
      return answer(Stage.MOVING);
    }

    private Future<Optional<LinkStep>> answer(Stage stage) {
      return Future.succeededFuture(nobody ? Optional.empty() : Optional.of(onOld(stage, 0)));
    }
  }

  private static LinkStep onOld(Stage stage, long lines) {
    return new LinkStep(stage, Role.OLD, LAPTOP, List.of(), lines, 5_000);
  }

  private static LinkStep onNew(Stage stage, long lines) {
    return new LinkStep(stage, Role.NEW, LAPTOP, List.of(), lines, 5_000);
  }

  @Test
  void aWindowWithoutTheIdentityShowsACodeAndOneWithItSaysWhatToDo() throws IOException {
    dialog.run(List.of());
    assertThat(rooms.asked).isEmpty();
    assertThat(out.toString()).contains("On a new one of yours type /link");
    rooms.fresh = true;
    dialog.run(List.of());
    assertThat(out.toString()).contains("    /link " + Rooms.CODE.text(), "good for one try");
    rooms.fresh = false;
    dialog.run(List.of("show"));
    assertThat(rooms.asked).containsExactly("offer", "offer");
  }

  @Test
  void theOldWindowTakesTheCodeNamesTheNewOneAndAsksOnceMore() throws IOException {
    step(onOld(Stage.OFFERED, 0));
    assertThat(out.toString())
        .contains("laptop (x1).", "If not, somebody else is signed in as you");
    dialog.run(List.of(Rooms.CODE.text()));
    step(onOld(Stage.TYPED, 0));
    step(onOld(Stage.PROVEN, 0));
    assertThat(out.toString()).contains("* laptop (x1) has the code. /link yes gives it");
    dialog.run(List.of("yes"));
    step(onOld(Stage.MOVING, 1_000));
    step(onOld(Stage.MOVING, 2_100));
    step(onOld(Stage.MOVING, 2_200));
    step(onOld(Stage.DONE, 5_000));
    assertThat(out.toString().lines().filter(line -> line.contains(" of 5000 lines")))
        .containsExactly("* 2100 of 5000 lines are there");
    assertThat(out.toString()).contains("laptop (x1) has your identity and 5000 lines.");
    assertThat(rooms.asked).containsExactly(Rooms.CODE.text(), "yes");
    assertThat(came).isZero();
  }

  @Test
  void theNewWindowShowsWhatCameOnceItIsThere() throws IOException {
    rooms.fresh = true;
    dialog.run(List.of());
    queue.runAll();
    assertThatThrownBy(() -> dialog.run(List.of(Rooms.CODE.text())))
        .hasMessageContaining("what it shows is typed on one of yours");
    assertThat(rooms.asked).containsExactly("offer");
    step(onNew(Stage.PROVEN, 0));
    assertThat(out.toString()).contains("say yes on laptop (x1)").doesNotContain("/link yes");
    step(onNew(Stage.JOINED, 0));
    assertThat(came).isZero();
    step(onNew(Stage.DONE, 7));
    assertThat(out.toString()).contains("* All is there, with 7 lines.");
    assertThat(came).isEqualTo(1);
  }

  @Test
  void whichOfTheTwoAWindowIsItKnowsWithoutHavingShownACode() throws IOException {
    step(onOld(Stage.OFFERED, 0));
    step(onNew(Stage.PROVEN, 0)); // as after it was opened again
    assertThat(out.toString()).contains("say yes on laptop (x1)").doesNotContain("/link yes");
    step(onNew(Stage.DONE, 7));
    assertThat(came).isEqualTo(1);
    dialog.run(List.of("show"));
    step(onOld(Stage.PROVEN, 0)); // another one was typed here meanwhile
    step(onOld(Stage.DONE, 9));
    assertThat(out.toString())
        .contains("/link yes gives it your identity", "laptop (x1) has your identity and 9 lines.");
    assertThat(came).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"WRONG_CODE", "OTHER_IDENTITY"})
  void nothingIsLookedForWhereNothingWasGiven(Stage stage) {
    step(onNew(stage, 0));
    assertThat(came).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"TOO_LATE", "LEFT", "BROKEN"})
  void whatCameBeforeItEndedIsLookedForOnTheNewWindow(Stage stage) {
    step(onOld(stage, 0));
    assertThat(came).isZero();
    step(onNew(stage, 0));
    assertThat(came).isEqualTo(1);
  }

  @Test
  void whoAsksAllTheTimeFillsNeitherTheScreenNorAsksTheServer() throws IOException {
    for (int i = 0; i < 100; i++) {
      step(onOld(Stage.OFFERED, 0));
    }
    assertThat(lists).isEqualTo(1);
    assertThat(out.toString().lines().filter(line -> line.contains("asks to be linked")))
        .hasSize(7);
    dialog.run(List.of(Rooms.CODE.text()));
    out.getBuffer().setLength(0);
    step(onOld(Stage.OFFERED, 0));
    assertThat(out.toString()).contains("* A window of yours asks to be linked: laptop (x1).");
  }

  @Test
  void whatCannotBeTakenIsToldAndNobodyIsAskedAboutASlip() throws IOException {
    assertThatThrownBy(() -> dialog.run(List.of("ABCDE")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such code");
    rooms.locked = true;
    assertThatThrownBy(() -> dialog.run(List.of(Rooms.CODE.text())))
        .hasMessageContaining("too many wrong codes");
    assertThat(rooms.asked).isEmpty();
    rooms.locked = false;
    rooms.nobody = true;
    assertThatThrownBy(() -> dialog.run(List.of(Rooms.CODE.text())))
        .hasMessageContaining("no window of yours asks");
    assertThatThrownBy(() -> dialog.run(List.of("yes")))
        .hasMessageContaining("its code is typed first");
    rooms.nobody = false;
    dialog.run(List.of("no"));
    assertThat(rooms.asked).endsWith("no");
  }

  @ParameterizedTest
  @EnumSource(
      value = Stage.class,
      names = {"WRONG_CODE", "TOO_LATE", "LEFT", "BROKEN", "OTHER_IDENTITY"})
  void eachEndHasWordsOfItsOwn(Stage stage) {
    for (LinkStep end : List.of(onOld(stage, 0), onNew(stage, 0))) {
      assertThat(end.isLast()).isTrue();
      out.getBuffer().setLength(0);
      step(end);
      assertThat(out.toString())
          .startsWith("✗ ")
          .contains("x1")
          .doesNotContain("%")
          .doesNotContainPattern("/link (?!show)"); // which may only explain there
    }
  }
}
