package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedState;
import io.confab.config.FileFault;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a person must know of sealed rooms: of keys that are not believed, each thing once; of
/// lines that could not be opened, how many; and that this window takes no part. For the thread of
/// a chat.
final class SealedNotices {
  /// So many warnings are remembered; after them all are told anew.
  private static final int MOST = 1_000;

  private final Screen screen;
  private final Function<AccountId, String> names;
  private final String refusal;
  private final AccountId self;
  private final Set<Told> told = new HashSet<>();
  private final Map<AccountId, Integer> lost = new HashMap<>();
  private @Nullable SealedState state;
  private String fault = "";
  private boolean isReplaced;

  /// What was told; of another identity once for all devices that stand under it.
  private record Told(AccountId account, @Nullable DeviceId device, Doubt doubt) {
    static Told of(Warning warning) {
      boolean whole = warning.doubt() == Doubt.CHANGED_IDENTITY;
      return new Told(warning.accountId(), whole ? null : warning.deviceId(), warning.doubt());
    }
  }

  /// @param names safe to print
  /// @param refusal why this window has nothing to take part with; empty: it has
  SealedNotices(Screen screen, AccountId self, Function<AccountId, String> names, String refusal) {
    this.screen = screen;
    this.self = self;
    this.names = names;
    this.refusal = refusal;
  }

  /// Whether it is new.
  boolean warned(Warning warning) {
    if (warning.doubt() == Doubt.UNDECRYPTABLE) {
      if (state == SealedState.NOT_LINKED) {
        return false; // it was sealed for the others of this account alone
      }
      return lost(warning.accountId());
    }
    if (told.size() >= MOST) {
      told.clear();
    }
    isReplaced |= warning.doubt() == Doubt.CHANGED_IDENTITY && warning.accountId().equals(self);
    boolean news = told.add(Told.of(warning));
    if (news) {
      screen.line("⚠ " + text(warning));
    }
    return news;
  }

  /// Told when their number has doubled: who sends nothing else is not to fill the screen.
  private boolean lost(AccountId account) {
    if (lost.size() >= MOST) {
      lost.clear();
    }
    int count = lost.merge(account, 1, Integer::sum);
    boolean news = Integer.bitCount(count) == 1;
    if (news) {
      String who = names.apply(account);
      screen.line(
          count == 1
              ? "⚠ something of %s cannot be opened here, and is lost; they are told so"
                  .formatted(who)
              : "⚠ %d lines of %s could not be opened here, and are lost".formatted(count, who));
    }
    return news;
  }

  /// The person believes somebody's keys: another change is told anew.
  void believed(AccountId account) {
    told.removeIf(one -> one.account().equals(account));
  }

  private String text(Warning warning) {
    String who = names.apply(warning.accountId());
    return switch (warning.doubt()) {
      case CHANGED_IDENTITY ->
          warning.accountId().equals(self)
              ? "the server tells of other keys of your own account than this window knows: another"
                  + " window of yours made them (/link gets them from it), or somebody else did"
                  + " (/recover reset puts those of this window in their place); this one accepts"
                  + " none of them"
              : ("%1$s has other keys than before: they began anew, or somebody stands between you."
                      + " What they write waits and nothing is sealed for them, until /trust %1$s."
                      + " /verify %1$s compares first.")
                  .formatted(who);
      case CHANGED_DEVICE ->
          "a device of %s has other keys than before; it gets nothing, and what it writes waits"
              .formatted(who);
      case UNSIGNED_DEVICE ->
          ("a device of %s is not signed by its account; it gets nothing, and what it writes waits"
                  + " until it is")
              .formatted(who);
      case OTHER_SUITE ->
          "a device of %s needs another program than this one; it gets nothing".formatted(who);
      case REORDERED -> "something of %s came out of its order, and is not shown".formatted(who);
      case REPLAYED -> "something of %s came again, and is not shown".formatted(who);
      case LATER_READER ->
          ("%s can read from now on what is said here in a sealed room, so the server says they are"
                  + " in it")
              .formatted(who);
      case OTHER_MEMBER ->
          "the server puts %s into a conversation of two; nothing is said there".formatted(who);
      case NO_DEVICE ->
          "%s has no device any more that reads sealed rooms; nothing that is said now reaches them"
              .formatted(who);
      case UNDECRYPTABLE,
          DIFFERENT,
          MALFORMED,
          BAD_KEY,
          BAD_SIGNATURE,
          OTHER_OWNER,
          OTHER_SENDER,
          OTHER_RECIPIENT,
          OTHER_ROOM ->
          "something in the name of %s is not believed (%s), and is not shown"
              .formatted(who, words(warning.doubt()));
    };
  }

  static String words(Doubt doubt) {
    return doubt.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /// What the device keeps failed; [#state] follows.
  void failed(Throwable why) {
    fault =
        Plain.line(
            why instanceof IOException disk
                ? "the disk failed at what is kept of sealed rooms: " + FileFault.text(disk)
                : "this program failed at sealed rooms: " + why);
  }

  /// How far the device takes part.
  ///
  /// @param sealed whether the room on the screen is sealed
  void state(SealedState now, boolean sealed) {
    boolean news = now != state;
    state = now;
    if (now == SealedState.READY) {
      isReplaced = false;
      told.remove(Told.of(new Warning(self, null, Doubt.CHANGED_IDENTITY)));
    }
    if (news && (sealed || now == SealedState.STORE_FAILED)) {
      tellAbsence();
    }
  }

  /// A sealed room is opened.
  void tellAbsence() {
    absence().ifPresent(why -> screen.line("⚠ " + why));
  }

  /// Why nothing can be said or read in sealed rooms; empty: it can, or may soon.
  Optional<String> absence() {
    if (!refusal.isEmpty()) {
      return Optional.of("this window takes no part in sealed rooms: " + Plain.line(refusal));
    }
    return Optional.ofNullable(state).flatMap(now -> why(now).map(why -> more(now, why)));
  }

  private String more(SealedState now, String why) {
    if (now == SealedState.NOT_LINKED && isReplaced) {
      return "your account has another identity than this window knows, so this one cannot read or"
          + " say anything in sealed rooms. /link gets it from a window of yours that has"
          + " it, /recover by a recovery key that was made since; where none of yours made"
          + " it, or none is left, /recover reset puts that of this window in its place";
    }
    return now == SealedState.STORE_FAILED && !fault.isEmpty() ? fault + "; " + why : why;
  }

  /// Why a device does not take part; empty: it does.
  static Optional<String> why(SealedState state) {
    return switch (state) {
      case READY -> Optional.empty();
      case NOT_LINKED ->
          Optional.of(
              "sealed rooms are on another device of yours; this one is not linked to it, so it"
                  + " cannot read or say anything in them. /link gets your identity and what was"
                  + " said from a window that has it, /recover the identity alone by your recovery"
                  + " key, and where neither is left /recover reset makes another one");
      case TOO_MANY_DEVICES ->
          Optional.of(
              "too many of your devices have keys for this one to take part in sealed rooms;"
                  + " /devices lists them, /forget ends the keys of one");
      case OTHER_KEYS ->
          Optional.of(
              "the server has other keys of this device, so it takes no part in sealed rooms; with"
                  + " --device NAME you are here as another one");
      case REFUSED -> Optional.of("the server takes no keys of this device for sealed rooms");
      case STORE_FAILED ->
          Optional.of(
              "what is said in sealed rooms cannot be kept here; nothing is sent or shown there"
                  + " until this window is opened again");
    };
  }

  /// @param text was on its way when the program ended before
  void unsent(String text, ApiException why) {
    screen.line("✗ %s: %s".formatted(Reasons.of(why), Plain.line(text)));
  }

  /// @param line was stored about when another device put this one out
  void unheard(SealedLine line) {
    screen.line(
        "✗ others may not see this, which was said about when your account got another"
            + " identity: "
            + Plain.line(line.text()));
  }

  /// The lifetime of a line that was on the screen is over.
  void gone(Seq seq) {
    screen.line("* #" + seq + " is over; it is kept no longer");
  }
}
