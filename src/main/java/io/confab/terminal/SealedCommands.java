package io.confab.terminal;

import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.ListedDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Secret;
import io.confab.screen.Plain;
import io.confab.screen.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is typed about sealed rooms. Blocks while it asks.
final class SealedCommands {
  private static final int MOST_FOUND = 20;

  private final SealedAccess sealed;
  private final Screen screen;
  private final EmojiDialog emojis;
  private final RecoveryDialog recovery;
  private final LinkDialog links;
  private final Function<AccountId, String> names;
  private final Function<RoomId, String> titles;

  /// @param names safe to print, and so the titles
  SealedCommands(
      SealedAccess sealed,
      Screen screen,
      EmojiDialog emojis,
      LinkDialog links,
      Function<AccountId, String> names,
      Function<RoomId, String> titles) {
    this.sealed = sealed;
    this.screen = screen;
    this.emojis = emojis;
    this.links = links;
    this.recovery = new RecoveryDialog(sealed, screen);
    this.names = names;
    this.titles = titles;
  }

  /// Those of a terminal that keeps no keys.
  static SealedCommands absent(Screen screen) {
    SealedAccess none = new SealedAccess.Absent();
    return new SealedCommands(
        none,
        screen,
        new EmojiDialog(none, AccountId::toString, screen),
        new LinkDialog(none, screen, DeviceNames.none(), () -> {}),
        AccountId::toString,
        RoomId::toString);
  }

  /// Whether somebody has a device that could read; empty: that is not known.
  Optional<Boolean> reads(AccountId who) {
    return sealed
        .devices(who)
        .map(devices -> Optional.of(!devices.isEmpty()))
        .otherwise(Optional.empty())
        .await();
  }

  /// The devices of somebody, and whether they are believed.
  void devices(AccountId who, String handle) {
    List<ListedDevice> all = sealed.devices(who).await();
    screen.line("* %s: %s".formatted(Plain.line(handle), text(sealed.trust(who).await())));
    if (all.isEmpty()) {
      screen.line("* no devices with keys");
    }
    all.forEach(
        listed ->
            screen.line(
                "  %s  %s"
                    .formatted(
                        Plain.line(listed.device().deviceId().value()), text(listed.doubt()))));
  }

  private static String text(@Nullable Doubt doubt) {
    return doubt == null ? "gets what is sealed" : "gets nothing: " + SealedNotices.words(doubt);
  }

  private static String text(Trust trust) {
    return switch (trust) {
      case NONE -> "no keys are known";
      case PINNED -> "not verified";
      case VERIFIED -> "verified";
      case CHANGED -> "KEYS CHANGED; nothing is sealed for them until /trust or /verify";
    };
  }

  /// Accepts the other keys of somebody.
  void trust(AccountId who, String handle) {
    if (sealed.isOwn(who)) {
      screen.line("* Your own keys are not the server's to change; nothing was accepted.");
      return;
    }
    Trust before = sealed.trust(who).await();
    if (before != Trust.CHANGED) {
      screen.line(
          "* There is nothing to accept of %s: %s.".formatted(Plain.line(handle), text(before)));
      return;
    }
    sealed.accept(who).await();
    screen.line("* The other keys of %s are accepted.".formatted(Plain.line(handle)));
  }

  void verify(AccountId who) {
    emojis.begin(who);
  }

  void matches(String handle, boolean same) throws IOException {
    emojis.matches(handle, same);
  }

  void link(List<String> words) throws IOException {
    links.run(words);
  }

  void recover(List<String> words) throws IOException {
    recovery.run(words);
  }

  void recover(Secret key) throws IOException {
    recovery.open(key);
  }

  /// The newest lines with all of these words, of all sealed rooms.
  void search(String words) {
    List<SealedLine> found = sealed.search(null, words, MOST_FOUND).await();
    if (found.isEmpty()) {
      screen.line("* nothing; only sealed rooms are searched, and only what this device keeps");
    }
    found.reversed().forEach(line -> screen.line("  " + text(line)));
  }

  private String text(SealedLine line) {
    return "%s  %s #%s %s: %s"
        .formatted(
            Lists.when(line.ts()),
            titles.apply(line.roomId()),
            line.seq(),
            names.apply(line.senderId()),
            Plain.line(line.text()));
  }
}
