package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatMessage;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.client.sealed.SealedLine;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.Mention;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TranscriptTest {
  private static final RoomId ROOM = new RoomId(1);
  private static final AccountId ADA = new AccountId(10);
  private static final AccountId BEN = new AccountId(11);
  private static final long MORNING = 1_795_238_103_000L; // 2026-11-21 05:15 UTC
  private static final long DAY = 86_400_000;

  private final Receipts receipts = new Receipts();
  private final Transcript transcript =
      new Transcript(
          ZoneOffset.UTC, ADA, account -> account.equals(ADA) ? "ada" : "be\u001bn", receipts);

  private static ChatMessage said(AccountId sender, @Nullable String body, long ts) {
    return new ChatMessage(
        ROOM,
        new Seq(3),
        new Rev(5),
        null,
        sender,
        new ClientId("c"),
        "text",
        body,
        null,
        null,
        null,
        ts,
        null,
        body == null ? ts : null,
        null);
  }

  private static RoomUpdate.Change change() {
    return new RoomUpdate.Change(ROOM, new Rev(9), BEN, MORNING);
  }

  @Test
  void aMessageHasTimeNumberAndNameAndOnesOwnAMark() {
    assertThat(transcript.message(said(BEN, "hello", MORNING)))
        .containsExactly("—— Saturday, 21 November 2026 ——", "05:15 #3 be<U+1B>n: hello");
    assertThat(transcript.message(said(ADA, "hi", MORNING))).containsExactly("05:15 #3 ✓ ada: hi");
  }

  @Test
  void onesOwnMessagesShowWhatBecameOfThem() {
    transcript.message(said(BEN, "first", MORNING));

    receipts.delivered(new RoomSignal.Delivered(ROOM, new Seq(3)));
    assertThat(transcript.message(said(ADA, "hi", MORNING))).containsExactly("05:15 #3 ✓✓ ada: hi");
    receipts.read(new RoomSignal.Read(ROOM, new Seq(4)));
    assertThat(transcript.message(said(ADA, "hi", MORNING)))
        .containsExactly("05:15 #3 ✓✓ ada: hi (read)");
    assertThat(transcript.message(said(BEN, "hi", MORNING)))
        .containsExactly("05:15 #3 be<U+1B>n: hi");
  }

  @Test
  void whatMentionsThePersonIsMarked() {
    transcript.message(said(ADA, "first", MORNING));

    assertThat(transcript.message(mentioning(Mention.of(ADA))))
        .containsExactly("05:15 #3 @ be<U+1B>n: look");
    assertThat(transcript.message(mentioning(Mention.ALL)))
        .containsExactly("05:15 #3 @ be<U+1B>n: look");
    assertThat(transcript.message(mentioning(Mention.of(BEN))))
        .containsExactly("05:15 #3 be<U+1B>n: look");
  }

  private static ChatMessage mentioning(Mention whom) {
    ChatMessage plain = said(BEN, "look", MORNING);
    return new ChatMessage(
        ROOM,
        plain.seq(),
        plain.rev(),
        null,
        BEN,
        plain.clientId(),
        "text",
        "look",
        null,
        null,
        List.of(whom),
        MORNING,
        null,
        null,
        null);
  }

  @Test
  void eachDayIsHeadedOnce() {
    transcript.message(said(ADA, "one", MORNING));

    assertThat(transcript.message(said(ADA, "two", MORNING + DAY)))
        .containsExactly("—— Sunday, 22 November 2026 ——", "05:15 #3 ✓ ada: two");
    assertThat(transcript.message(said(ADA, "three", MORNING + DAY))).hasSize(1);
  }

  @Test
  void whatOthersWroteReachesTheTerminalOnlyAsText() {
    transcript.message(said(ADA, "first", MORNING));

    assertThat(transcript.message(said(BEN, "\u001b[2Jgone\u0007\n\u202eline two", MORNING)))
        .containsExactly("05:15 #3 be<U+1B>n: <U+1B>[2Jgone<U+7>", "    <U+202E>line two");
  }

  @Test
  void repliesTopicsEditsAndDeletionsAreSeen() {
    transcript.message(said(ADA, "first", MORNING));
    ChatMessage plain = said(BEN, "new", MORNING);
    ChatMessage full =
        new ChatMessage(
            ROOM,
            plain.seq(),
            plain.rev(),
            new Rev(9),
            BEN,
            plain.clientId(),
            "text",
            "new",
            new Seq(1),
            "lunch",
            null,
            MORNING,
            MORNING + 60_000,
            null,
            null);

    assertThat(transcript.message(full))
        .containsExactly("05:15 #3 be<U+1B>n: ↪ #1 [lunch] new (edited)");
    assertThat(transcript.update(new RoomUpdate.Edited(full)))
        .containsExactly("05:16 * be<U+1B>n edited #3: new");
    assertThat(transcript.message(said(BEN, null, MORNING)))
        .containsExactly("05:15 #3 be<U+1B>n: (deleted)");
    assertThat(transcript.update(new RoomUpdate.Deleted(change(), new Seq(3), ADA)))
        .containsExactly("05:15 * ada deleted message #3");
  }

  @Test
  void comingAndGoingIsTold() {
    transcript.message(said(ADA, "first", MORNING));

    assertThat(transcript.update(new RoomUpdate.MemberJoined(change(), ADA)))
        .containsExactly("05:15 * ada joined");
    assertThat(transcript.update(new RoomUpdate.MemberLeft(change(), ADA, "removed")))
        .containsExactly("05:15 * ada was removed");
    assertThat(transcript.update(new RoomUpdate.MembersChanged(change(), 40, 2)))
        .containsExactly("05:15 * 40 joined, 2 left");
    assertThat(transcript.update(new RoomUpdate.Archived(change()))).hasSize(1);
    assertThat(transcript.update(new RoomUpdate.Other(change(), "moon.rose", "{}"))).isEmpty();
  }

  private static SealedLine line(AccountId sender, String text) {
    return new SealedLine(
        ROOM,
        new Seq(3),
        sender,
        new DeviceId("d"),
        new ClientId("c"),
        MORNING,
        text,
        null,
        null,
        null);
  }

  @Test
  void whatWasSealedHasALockAndWhatBecameOfIt() {
    transcript.message(said(ADA, "first", MORNING));

    assertThat(transcript.line(line(BEN, "\u001b[2Jhi\nline two")))
        .containsExactly("05:15 #3 🔒 be<U+1B>n: <U+1B>[2Jhi", "    line two");
    assertThat(transcript.line(line(ADA, "hi"))).containsExactly("05:15 #3 🔒 ✓ ada: hi");
    receipts.read(new RoomSignal.Read(ROOM, new Seq(3)));
    assertThat(transcript.line(line(ADA, "hi"))).containsExactly("05:15 #3 🔒 ✓ ada: hi");
    receipts.sealed(ROOM, new Seq(3), Receipts.State.DELIVERED);
    assertThat(transcript.line(line(ADA, "hi"))).containsExactly("05:15 #3 🔒 ✓✓ ada: hi");
    receipts.sealed(ROOM, new Seq(3), Receipts.State.READ);
    assertThat(transcript.line(line(ADA, "hi"))).containsExactly("05:15 #3 🔒 ✓✓ ada: hi (read)");
  }

  @Test
  void whatIsPlainInASealedRoomIsNotTakenForSealed() {
    transcript.message(said(ADA, "first", MORNING));

    transcript.sealed(new RoomSeal("olm1", new Seq(3)));
    assertThat(transcript.message(said(BEN, "hi", MORNING)))
        .containsExactly("05:15 #3 ⚠ not sealed: be<U+1B>n: hi");
    transcript.sealed(new RoomSeal("olm1", new Seq(4)));
    assertThat(transcript.message(said(BEN, "hi", MORNING)))
        .containsExactly("05:15 #3 be<U+1B>n: hi");
  }

  @Test
  void anEditInASealedRoomIsNotTakenForSealedWhateverItsNumber() {
    transcript.message(said(ADA, "first", MORNING));
    transcript.sealed(new RoomSeal("olm1", new Seq(1_000)));

    assertThat(transcript.update(new RoomUpdate.Edited(said(BEN, "I agree", MORNING))))
        .containsExactly("05:15 * ⚠ not sealed: be<U+1B>n edited #3: I agree");
  }

  @Test
  void sealingAndLifetimesAreTold() {
    transcript.message(said(ADA, "first", MORNING));

    assertThat(transcript.update(new RoomUpdate.RoomSealed(change(), "olm1", new Seq(4), null)))
        .containsExactly(
            "05:15 * be<U+1B>n sealed this room, for ever: what is said from here on is for its"
                + " members alone");
    assertThat(transcript.update(new RoomUpdate.ExpirySet(change(), 7_200)))
        .containsExactly(
            "05:15 * what is said from here on goes 2 h after it was read; whoever is away for"
                + " longer misses it");
    assertThat(transcript.update(new RoomUpdate.ExpirySet(change(), 0)))
        .containsExactly("05:15 * what is said from here on stays");
    assertThat(transcript.update(new RoomUpdate.Sealed(change(), new Seq(4)))).isEmpty();
  }
}
