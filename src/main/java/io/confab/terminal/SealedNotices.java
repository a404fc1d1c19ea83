package io.confab.terminal;

import io.confab.client.ApiException;
import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.Warning;
import io.confab.client.sealedroom.SealedState;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Seq;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a person must know of sealed rooms: of keys that are not believed, each thing once, and
/// that this window takes no part. For the thread of a chat.
final class SealedNotices {
  /// So many warnings are remembered; after them all are told anew.
  private static final int MOST = 1_000;

  private final Screen screen;
  private final Function<AccountId, String> names;
  private final String refusal;
  private final Set<Told> told = new HashSet<>();
  private @Nullable SealedState state;

  /// What was told; of another identity once for all devices that stand under it.
  private record Told(AccountId account, @Nullable DeviceId device, Doubt doubt) {
    static Told of(Warning warning) {
      boolean whole = warning.doubt() == Doubt.CHANGED_IDENTITY;
      return new Told(warning.accountId(), whole ? null : warning.deviceId(), warning.doubt());
    }
  }

  /// @param names safe to print
  /// @param refusal why this window has nothing to take part with; empty: it has
  SealedNotices(Screen screen, Function<AccountId, String> names, String refusal) {
    this.screen = screen;
    this.names = names;
    this.refusal = refusal;
  }

  /// Whether it is new.
  boolean warned(Warning warning) {
    if (told.size() >= MOST) {
      told.clear();
    }
    boolean news = told.add(Told.of(warning));
    if (news) {
      screen.line("⚠ " + text(warning));
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
          ("%1$s has other keys than before, or somebody else has them; nothing is sealed for them"
                  + " until /trust %1$s. /verify %1$s compares them first.")
              .formatted(who);
      case CHANGED_DEVICE ->
          "a device of %s has other keys than before; it gets nothing".formatted(who);
      case UNSIGNED_DEVICE ->
          "a device of %s is not signed by its account; it gets nothing".formatted(who);
      case OTHER_SUITE ->
          "a device of %s needs another program than this one; it gets nothing".formatted(who);
      case UNDECRYPTABLE ->
          "something of %s cannot be opened here; they are told so".formatted(who);
      case REORDERED -> "something of %s came out of its order, and is not shown".formatted(who);
      case REPLAYED -> "something of %s came again, and is not shown".formatted(who);
      case MALFORMED,
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

  /// How far the device takes part.
  ///
  /// @param sealed whether the room on the screen is sealed
  void state(SealedState now, boolean sealed) {
    boolean news = now != state;
    state = now;
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
    return Optional.ofNullable(state).flatMap(SealedNotices::why);
  }

  private static Optional<String> why(SealedState state) {
    return switch (state) {
      case READY -> Optional.empty();
      case NOT_LINKED ->
          Optional.of(
              "sealed rooms are on another device of yours; this one is not linked to it, so it"
                  + " cannot read or say anything in them");
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
              "the disk does not keep what comes and goes in sealed rooms, so nothing does until"
                  + " the next start");
    };
  }

  /// @param text was on its way when the program ended before
  void unsent(String text, ApiException why) {
    screen.line("✗ %s: %s".formatted(Reasons.of(why), Plain.line(text)));
  }

  /// The lifetime of a line that was on the screen is over.
  void gone(Seq seq) {
    screen.line("* #" + seq + " is over; it is kept no longer");
  }
}
