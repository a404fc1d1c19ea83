package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.Recovered;
import io.confab.client.sealed.RecoveryKey;
import io.confab.client.sealedroom.SealedRecovery;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.Secret;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What is typed about the recovery key: how things stand, another key, the key itself on a window
/// that has no identity, and that there is none any more. Blocks while it asks.
final class RecoveryDialog {
  private static final String NEW = "new";
  private static final String RESET = "reset";
  private static final String YES = "yes";
  private static final String UNTOLD =
      "* The server has not taken its keys yet; this window goes on trying, and reads nothing"
          + " before.";

  private final SealedAccess sealed;
  private final Screen screen;

  RecoveryDialog(SealedAccess sealed, Screen screen) {
    this.sealed = sealed;
    this.screen = screen;
  }

  void run(List<String> words) throws IOException {
    if (words.isEmpty()) {
      tell();
      return;
    }
    boolean yes = words.size() > 1 && words.get(1).equalsIgnoreCase(YES);
    switch (words.getFirst().toLowerCase(Locale.ROOT)) {
      case NEW -> another(yes);
      case RESET -> reset(yes);
      default ->
          throw new IOException(
              "a recovery key does not belong into the line: type /recover alone, and it is asked"
                  + " for");
    }
  }

  private void another(boolean yes) throws IOException {
    if (sealed.isToRecover().await()) {
      throw noIdentity();
    }
    if (!screen.isTerminal()) {
      throw new IOException(
          "what is printed here may be kept in a file, which a recovery key is not to be: open this"
              + " window in a terminal, without --plain");
    }
    if (yes) {
      make();
    } else {
      propose();
    }
  }

  private void tell() {
    Optional<SealedRecovery.Present> vault = sealed.vault().await();
    if (vault.isEmpty()) {
      screen.line(
          sealed.isToRecover().await()
              ? "* There is no recovery key of your account. /link gets your identity from another"
                  + " window of yours that has it; where none is left, /recover reset makes another"
                  + " one."
              : "* There is no recovery key of your account; /recover new makes one.");
      return;
    }
    if (vault.get().isFormer()) {
      screen.line(
          "* %s, for another identity than your account has now, of which it opens nothing. %s"
              .formatted(
                  made(vault.get()),
                  sealed.isToRecover().await()
                      ? "/link gets that from a window of yours that has it; where there is none,"
                          + " /recover reset sets that of this window."
                      : "/recover new makes another one."));
      return;
    }
    screen.line(
        "* %s. What you verified and sealed since is not in what it opens; /recover new makes"
                .formatted(made(vault.get()))
            + " another one.");
  }

  private static String made(SealedRecovery.Present vault) {
    return vault
        .madeAt()
        .map(
            at ->
                "Your recovery key was made at %s, the server says"
                    .formatted(Lists.when(at.toEpochMilli())))
        .orElse("There is something else than this program makes in place of a recovery key");
  }

  private void propose() {
    screen.line(
        "* A recovery key gives a new window of yours the identity of your account where no other"
            + " one is left. It opens what this window puts at the server: the identity, whom you"
            + " verified, which rooms are sealed; nothing that was said.");
    screen.line(
        "* Whoever has it and your password is you. It is shown once, and a recovery key that was"
            + " made before opens nothing then.");
    screen.line("* /recover new yes makes it.");
  }

  private void make() throws IOException {
    RecoveryKey key = made();
    screen.line(
        "* Your recovery key. Write it down on paper; it is shown once, and no window keeps it:");
    screen.line("    " + key.text());
    screen.line("* On a new window of yours, /recover asks for it.");
    screen.line(
        "* It stays in the memory of this terminal, also when it has scrolled away: clear that, or"
            + " close the terminal.");
  }

  private static IOException noIdentity() {
    return new IOException(
        "this window does not have the identity of your account itself; a recovery key is made on"
            + " one that has it");
  }

  private RecoveryKey made() throws IOException {
    try {
      return sealed.newRecoveryKey().await().orElseThrow(RecoveryDialog::noIdentity);
    } catch (ApiException refusal) {
      if (refusal.retryable()) {
        screen.line(
            "* Whether the recovery key that was made before still opens anything is not known;"
                + " /recover new yes once more makes another one.");
      }
      throw refusal;
    }
  }

  private void reset(boolean yes) throws IOException {
    if (!yes) {
      if (!sealed.isToRecover().await()) {
        throw new IOException(
            "this window has the identity of your account; nothing is to be reset");
      }
      screen.line(
          "* For when no window with your identity is left, and no recovery key: your account gets"
              + " the identity of this window, another one unless it made one before. What was said"
              + " in sealed rooms stays lost here.");
      screen.line(
          "* Others are warned that your keys changed, and seal nothing for you until each of them"
              + " has accepted or verified the new ones. A window of yours that comes back is to be"
              + " linked to this one, and a recovery key that was made before opens nothing of"
              + " it.");
      screen.line("* /recover reset yes makes it.");
      return;
    }
    Optional<SealedState> state = reset();
    screen.line("* Your account got the identity of this window.");
    screen.line(state.map(RecoveryDialog::afterwards).orElse(UNTOLD));
  }

  private Optional<SealedState> reset() {
    try {
      return sealed.resetIdentity().await();
    } catch (ApiException refusal) {
      if (refusal.retryable()) {
        screen.line(
            "* Whether your account got the identity of this window is not known; /recover reset"
                + " yes once more sees to it.");
      }
      throw refusal;
    }
  }

  private static String afterwards(SealedState state) {
    return SealedNotices.why(state)
        .map(why -> "⚠ " + why)
        .orElse(
            "* It reads what is said from here on, by whoever believes your new keys. Devices that"
                + " you lost get nothing more: /devices lists them, /forget ends their keys. A"
                + " recovery key that was made before does not open this identity; /recover new"
                + " makes another.");
  }

  /// The person typed a key.
  void open(Secret typed) throws IOException {
    RecoveryKey key =
        RecoveryKey.read(typed.value())
            .orElseThrow(
                () ->
                    new IOException(
                        "that is no recovery key: it has 32 letters and digits, and one of them at"
                            + " least is another one"));
    SealedRecovery.Opened opened = sealed.recover(key).await();
    if (opened.outcome() != Recovered.DONE) {
      throw new IOException(why(opened.outcome()));
    }
    screen.line("* This window has your identity, and signed itself with it.");
    screen.line(opened.state().map(RecoveryDialog::from).orElse(UNTOLD));
  }

  private static String from(SealedState state) {
    return SealedNotices.why(state)
        .map(why -> "⚠ " + why)
        .orElse(
            "* It reads what is said from here on; what was said before was not kept by the"
                + " recovery key.");
  }

  private static String why(Recovered outcome) {
    return switch (outcome) {
      case DONE -> throw new IllegalArgumentException("nothing is wrong");
      case PRESENT -> "this window has the identity of your account already";
      case NO_VAULT -> "no recovery key was made of your account";
      case TOO_LARGE -> "what the server keeps for you is too large to be of this program";
      case OTHER_VERSION -> "the recovery key was made by another version of this program";
      case OTHER_ACCOUNT -> "the server gave what is of another account";
      case WRONG_KEY ->
          "this is not the recovery key that was made last, or it is of another account";
      case DAMAGED -> "the key is right, and what the server kept for it was changed";
      case OTHER_IDENTITY ->
          "the key is right, and the server tells of another identity than yours: somebody may"
              + " stand between you, so nothing was taken";
    };
  }
}
