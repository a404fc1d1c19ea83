package io.confab.terminal;

import io.confab.client.sealed.LinkCode;
import io.confab.client.sealed.LinkStep;
import io.confab.client.sealed.LinkStep.Role;
import io.confab.protocol.DeviceId;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Links windows of one account: the new one shows a code, which the person types on one that has
/// the identity, and says yes there. For the thread of a chat; blocks while it asks.
final class LinkDialog {
  private static final String SHOW = "show";
  private static final String YES = "yes";
  private static final String NO = "no";
  private static final int TOLD_EACH = 2_000;

  /// So many devices that ask are remembered.
  private static final int MOST = 1_000;

  private final SealedAccess sealed;
  private final Screen screen;
  private final DeviceNames names;
  private final Runnable came;

  /// How often each device asked since a code was typed.
  private final Map<DeviceId, Integer> asked = new HashMap<>();

  private long told;

  /// @param came there may be lines that were not there before
  LinkDialog(SealedAccess sealed, Screen screen, DeviceNames names, Runnable came) {
    this.sealed = sealed;
    this.screen = screen;
    this.names = names;
    this.came = came;
  }

  void run(List<String> words) throws IOException {
    String word = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    switch (word) {
      case "" -> begin();
      case SHOW -> show();
      case YES -> decide(true);
      case NO -> decide(false);
      default -> type(words.getFirst());
    }
  }

  private void begin() {
    if (sealed.isToRecover().await()) {
      show();
      return;
    }
    screen.line(
        "* This window has your identity. On a new one of yours type /link; it shows a code, which"
            + " is typed here after /link. You are asked here once more before it gets anything.");
    screen.line(
        "* /link show shows a code here, to get the lines that another window of yours keeps and"
            + " this one does not.");
  }

  private void show() {
    LinkCode code = sealed.offerLink().await();
    names.read();
    told = 0;
    screen.line(
        "* Type this on a window of yours that reads sealed rooms, within ten minutes; it is good"
            + " for one try:");
    screen.line("    /link " + code.text());
  }

  private void type(String typed) throws IOException {
    LinkCode code =
        LinkCode.read(typed)
            .orElseThrow(
                () -> new IOException("that is no such code; it has ten letters and digits"));
    if (sealed.isToRecover().await()) {
      throw new IOException(
          "this window has no identity to give: what it shows is typed on one of yours that reads"
              + " sealed rooms");
    }
    if (sealed.isLinkLocked().await()) {
      throw new IOException(
          "too many wrong codes were typed; one that /link show on the new window makes ten minutes"
              + " from now is taken again");
    }
    asked.clear();
    if (sealed.typeLink(code).await().isEmpty()) {
      throw new IOException(
          "no window of yours asks to be linked, or it asked too long ago; /link show there makes"
              + " a code");
    }
  }

  private void decide(boolean yes) throws IOException {
    told = 0;
    if (sealed.decideLink(yes).await().isEmpty()) {
      throw new IOException(
          "no window of yours waits for a yes or no: its code is typed first, after /link");
    }
  }

  /// Where linking stands.
  void step(LinkStep step) {
    DeviceId with = step.with().deviceId();
    String who = names.of(with);
    switch (step.stage()) {
      case OFFERED -> offered(with);
      case TYPED -> screen.line("* The code goes to %s …".formatted(who));
      case PROVEN -> proven(step, who);
      case JOINED ->
          screen.line("* This window has your identity, and signed itself with it; lines come …");
      case MOVING -> moving(step);
      case DONE -> done(step, who);
      case WRONG_CODE, OTHER_IDENTITY ->
          screen.line("✗ " + why(step).formatted(who)); // nothing came
      case TOO_LATE, LEFT, BROKEN -> {
        screen.line("✗ " + why(step).formatted(who));
        ended(step);
      }
    }
  }

  /// Told when their number has doubled: who asks all the time is not to fill the screen.
  private void offered(DeviceId with) {
    if (asked.size() >= MOST) {
      asked.clear();
    }
    if (Integer.bitCount(asked.merge(with, 1, Integer::sum)) == 1) {
      names.learn(with, () -> tellOffer(names.of(with)));
    }
  }

  private void tellOffer(String who) {
    screen.line("* A window of yours asks to be linked: %s.".formatted(who));
    screen.line(
        "* If you opened it, type /link and the code that it shows. If not, somebody else is"
            + " signed in as you: /devices, /forget, /password.");
  }

  private void proven(LinkStep step, String who) {
    screen.line(
        switch (step.role()) {
          case NEW -> "* The code is right; say yes on %s.".formatted(who);
          case OLD ->
              ("* %s has the code. /link yes gives it your identity and all that this window keeps"
                      + " of sealed rooms; /link no does not.")
                  .formatted(who);
        });
  }

  private void moving(LinkStep step) {
    if (step.lines() >= told + TOLD_EACH) {
      told = step.lines();
      screen.line("* %d of %d lines are there".formatted(step.lines(), step.all()));
    }
  }

  private void done(LinkStep step, String who) {
    screen.line(
        switch (step.role()) {
          case NEW -> "* All is there, with %d lines.".formatted(step.lines());
          case OLD -> "* %s has your identity and %d lines.".formatted(who, step.lines());
        });
    ended(step);
  }

  private void ended(LinkStep step) {
    if (step.role() == Role.NEW) {
      came.run();
    }
  }

  private static String why(LinkStep step) {
    return switch (step.role()) {
      case NEW -> whyNew(step.stage());
      case OLD -> whyOld(step.stage());
    };
  }

  private static String whyNew(LinkStep.Stage stage) {
    return switch (stage) {
      case WRONG_CODE ->
          "The code that was typed on %s is not the one that this window shows, or somebody stands"
              + " between the two; nothing came. /link show makes another code.";
      case TOO_LATE ->
          "Nothing more came from %s in ten minutes. What came before is kept; /link show begins"
              + " once more.";
      case LEFT -> "%s gives nothing more. What came before is kept; /link show begins once more.";
      case BROKEN ->
          "Something from %s is missing or cannot be read. What came before is kept; /link show"
              + " gets the rest.";
      case OTHER_IDENTITY ->
          "The server tells of another identity of yours than %s has: somebody may stand between"
              + " you, so nothing was taken.";
      case OFFERED, TYPED, PROVEN, JOINED, MOVING, DONE ->
          throw new IllegalArgumentException("it goes on");
    };
  }

  private static String whyOld(LinkStep.Stage stage) {
    return switch (stage) {
      case WRONG_CODE ->
          "The code that was typed here is not the one that %s shows, or somebody stands between"
              + " the two; nothing was given. /link show there makes another code.";
      case TOO_LATE ->
          "Nothing more came from %s in ten minutes. What it has it keeps; /link show there begins"
              + " once more.";
      case LEFT -> "%s gets nothing more. What it has it keeps; /link show there begins once more.";
      case BROKEN, OTHER_IDENTITY ->
          "Something for %s could not be sent, or what it sent cannot be read. What it has it keeps;"
              + " /link show there gets the rest.";
      case OFFERED, TYPED, PROVEN, JOINED, MOVING, DONE ->
          throw new IllegalArgumentException("it goes on");
    };
  }
}
