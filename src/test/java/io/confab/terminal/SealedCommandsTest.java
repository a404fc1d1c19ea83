package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.sealed.Doubt;
import io.confab.client.sealed.ListedDevice;
import io.confab.client.sealed.RoomDevice;
import io.confab.client.sealed.SealedLine;
import io.confab.client.sealed.Trust;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.screen.PlainScreen;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SealedCommandsTest {
  private static final RoomId TEA = new RoomId(1);
  private static final AccountId BEN = new AccountId(11);

  private final StringWriter out = new StringWriter();
  private final PlainScreen screen = new PlainScreen(new PrintWriter(out), false);
  private final Rooms rooms = new Rooms();
  private final SealedCommands commands =
      new SealedCommands(
          rooms,
          screen,
          new EmojiDialog(rooms, _ -> "ben", screen),
          new LinkDialog(rooms, screen, DeviceNames.none(), () -> {}),
          _ -> "ben",
          _ -> "tea");

  /// What a device answers.
  private static final class Rooms implements SealedAccess {
    private static final AccountId OWN = new AccountId(10);
    private final List<String> searched = new ArrayList<>();
    private final List<AccountId> accepted = new ArrayList<>();
    private List<SealedLine> found = List.of();
    private List<ListedDevice> devices = List.of();
    private Trust trust = Trust.NONE;

    @Override
    public Future<List<SealedLine>> search(@Nullable RoomId room, String words, int most) {
      searched.add(words);
      return Future.succeededFuture(found);
    }

    @Override
    public Future<List<ListedDevice>> devices(AccountId account) {
      return Future.succeededFuture(devices);
    }

    @Override
    public Future<Trust> trust(AccountId account) {
      return Future.succeededFuture(trust);
    }

    @Override
    public boolean isOwn(AccountId account) {
      return account.equals(OWN);
    }

    @Override
    public Future<Void> accept(AccountId account) {
      accepted.add(account);
      return Future.succeededFuture();
    }
  }

  private static SealedLine line(long seq, String text) {
    return new SealedLine(
        TEA,
        new Seq(seq),
        BEN,
        new DeviceId("d"),
        new ClientId("c" + seq),
        0,
        text,
        null,
        null,
        null);
  }

  @Test
  void whatIsFoundStandsWithItsRoomTheNewestLast() {
    rooms.found = List.of(line(9, "tea with\u001b milk"), line(4, "tea"));

    commands.search("tea");

    assertThat(rooms.searched).containsExactly("tea");
    assertThat(out.toString().lines().map(line -> line.replaceAll("^.* tea #", "#")))
        .containsExactly("#4 ben: tea", "#9 ben: tea with<U+1B> milk");
  }

  @Test
  void aSearchThatFindsNothingSaysWhereItLooked() {
    commands.search("tea");

    assertThat(out.toString()).startsWith("* nothing; only sealed rooms");
  }

  @Test
  void devicesOfSomebodyShowWhetherTheyAreBelieved() {
    rooms.trust = Trust.VERIFIED;
    rooms.devices =
        List.of(
            new ListedDevice(device("phone"), null),
            new ListedDevice(device("other"), Doubt.UNSIGNED_DEVICE));

    commands.devices(BEN, "ben");

    assertThat(out.toString().lines())
        .containsExactly(
            "* ben: verified",
            "  phone  gets what is sealed",
            "  other  gets nothing: unsigned device");
    assertThat(commands.reads(BEN)).contains(true);
  }

  private static RoomDevice device(String name) {
    return new RoomDevice(BEN, new DeviceId(name), new RegistrationId(1));
  }

  @Test
  void otherKeysAreAcceptedAndNothingElseIs() {
    rooms.trust = Trust.PINNED;
    commands.trust(BEN, "ben");
    assertThat(rooms.accepted).isEmpty();
    assertThat(out.toString()).contains("* There is nothing to accept of ben: not verified.");

    rooms.trust = Trust.CHANGED;
    commands.trust(BEN, "ben");
    assertThat(rooms.accepted).containsExactly(BEN);
    assertThat(out.toString()).contains("* The other keys of ben are accepted.");
  }

  @Test
  void otherKeysOfOneselfAreNotAccepted() {
    rooms.trust = Trust.CHANGED;
    commands.trust(Rooms.OWN, "ada");

    assertThat(rooms.accepted).isEmpty();
    assertThat(out.toString()).contains("nothing was accepted");
  }

  @Test
  void whoHasNoDeviceCannotReadAndATerminalWithoutKeysDoesNotKnow() {
    assertThat(commands.reads(BEN)).contains(false);
    assertThat(SealedCommands.absent(screen).reads(BEN)).isEmpty();
  }
}
