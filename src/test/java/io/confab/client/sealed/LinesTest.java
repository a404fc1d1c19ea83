package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesTest {
  private static final RoomId ROOM = new RoomId(5);
  private static final RoomId OTHER = new RoomId(6);
  private static final AccountId BOB = new AccountId(18);
  private static final Instant NOW = Talker.NOW;

  private Path temp;

  private final Lines lines = new Lines(new Pins());
  private SealedStore store;
  private History history;
  private DeviceIdentity sender;

  @BeforeEach
  void openStore(@TempDir Path folder) {
    temp = folder;
    store = SealedStore.open(temp);
    history = new History(store, lines);
    sender = store.transact(new DeviceAccount(BOB, new DeviceId("b"))::open);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void linesAreReadBackwards() {
    for (int seq = 1; seq <= 12; seq++) {
      keep(ROOM, seq, "line " + seq, null, null);
    }
    keep(OTHER, 5, "elsewhere", null, null);
    assertThat(texts(history.last(ROOM, 2))).containsExactly("line 11", "line 12");
    assertThat(texts(history.before(ROOM, new Seq(11), 2))).containsExactly("line 9", "line 10");
    assertThat(history.before(ROOM, new Seq(1), 2)).isEmpty();
  }

  @Test
  void thatARoomIsSealedIsKnownWhenNothingOfItIsKeptAnyMore() {
    assertThat(history.seal(ROOM)).isEmpty();
    keep(ROOM, 7, "held", null, Doubt.UNSIGNED_DEVICE);
    keep(ROOM, 5, "over soon", 30, null);
    keep(ROOM, 6, "over soon too", 30, null);
    history.seen(ROOM, new Seq(5), new Seq(6), NOW);
    history.expire(NOW.plusSeconds(30));

    assertThat(history.last(ROOM, 9)).isEmpty();
    assertThat(history.seal(ROOM)).hasValue(new KnownSeal("olm1", new Seq(5)));
    history.sealed(ROOM, new KnownSeal("olm1", new Seq(9)));
    assertThat(history.seal(ROOM)).hasValue(new KnownSeal("olm1", new Seq(5)));
    history.sealed(ROOM, new KnownSeal("olm1", new Seq(3)));
    assertThat(history.seal(ROOM)).hasValue(new KnownSeal("olm1", new Seq(3)));
    history.sealed(OTHER, new KnownSeal("later", new Seq(1)));
    assertThat(history.seal(OTHER)).hasValue(new KnownSeal("later", new Seq(1)));
  }

  @Test
  void allWordsAreSearchedForNewestFirst() {
    keep(ROOM, 1, "Coffee at ten?", null, null);
    keep(OTHER, 2, "No COFFEE today", null, null);
    keep(ROOM, 3, "Tea, then coffee at noon", null, null);
    keep(ROOM, 4, "coffee of a stranger", null, Doubt.UNSIGNED_DEVICE);
    assertThat(texts(history.search(null, "coffee", 10)))
        .containsExactly("Tea, then coffee at noon", "No COFFEE today", "Coffee at ten?");
    assertThat(texts(history.search(ROOM, " AT  coffee ", 1)))
        .containsExactly("Tea, then coffee at noon");
    assertThat(history.search(null, "coffee cocoa", 10)).isEmpty();
    assertThat(history.search(null, " ", 10)).isEmpty();
  }

  @Test
  void aLifetimeBeginsWhenTheLineIsSeen() {
    keep(ROOM, 1, "first", 30, null);
    keep(ROOM, 2, "second", 30, null);
    keep(ROOM, 3, "for good", null, null);
    assertThat(history.nextExpiry()).isEmpty();
    assertThat(history.expire(NOW.plusSeconds(1_000))).isEmpty();
    history.seen(ROOM, new Seq(1), new Seq(1), NOW.plusSeconds(1_000));
    history.seen(ROOM, new Seq(1), new Seq(1), NOW.plusSeconds(1_020));
    assertThat(history.nextExpiry()).hasValue(NOW.plusSeconds(1_030));
    assertThat(history.expire(NOW.plusSeconds(1_029))).isEmpty();
    assertThat(texts(history.expire(NOW.plusSeconds(1_030)))).containsExactly("first");
    assertThat(history.nextExpiry()).isEmpty();
    assertThat(texts(history.last(ROOM, 9))).containsExactly("second", "for good");
  }

  @Test
  void theLifetimesOfLinesBeforeThoseThatWereSeenDoNotBegin() {
    keep(ROOM, 1, "not seen", 30, null);
    keep(ROOM, 2, "seen", 30, null);
    keep(ROOM, 3, "seen too", 30, null);
    keep(ROOM, 4, "not seen either", 30, null);
    history.seen(ROOM, new Seq(2), new Seq(3), NOW);
    assertThat(texts(history.expire(NOW.plusSeconds(30)))).containsExactly("seen", "seen too");
    assertThat(texts(history.last(ROOM, 9))).containsExactly("not seen", "not seen either");
    assertThat(history.nextExpiry()).isEmpty();
  }

  @Test
  void theLifetimeOfALineThatIsHeldDoesNotBegin() {
    keep(ROOM, 1, "held", 30, Doubt.UNSIGNED_DEVICE);
    history.seen(ROOM, new Seq(1), new Seq(1), NOW);
    assertThat(history.nextExpiry()).isEmpty();
  }

  @Test
  void whatIsOverAfterItWasSeenIsNotInTheFile() {
    keep(ROOM, 1, "canary", 30, null);
    history.seen(ROOM, new Seq(1), new Seq(1), NOW);
    history.expire(NOW.plusSeconds(30));
    assertThat(temp.resolve("sealed.log"))
        .content(StandardCharsets.ISO_8859_1)
        .doesNotContain("canary");
  }

  @Test
  void aFileIsFreedOnceInSomeSecondsOfWhatIsOver() {
    for (int seq = 1; seq <= 2; seq++) {
      keep(ROOM, seq, "canary-" + seq, 30, null);
      history.seen(ROOM, new Seq(seq), new Seq(seq), NOW.plusSeconds(seq));
    }
    history.expire(NOW.plusSeconds(31));
    assertThat(texts(history.expire(NOW.plusSeconds(32)))).containsExactly("canary-2");
    assertThat(history.nextExpiry()).hasValue(NOW.plusSeconds(36));
    assertFile().doesNotContain("canary-1").contains("canary-2");
    store.close();
    store = SealedStore.open(temp);
    history = new History(store, lines);
    assertThat(history.expire(NOW.plusSeconds(33))).isEmpty();
    assertFile().doesNotContain("canary");
    assertThat(history.nextExpiry()).isEmpty();
  }

  private AbstractStringAssert<?> assertFile() {
    return assertThat(temp.resolve("sealed.log")).content(StandardCharsets.ISO_8859_1);
  }

  @Test
  void digitsOfALanguageChangeNothing() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.ROOT);
      keep(ROOM, 1, "first", 30, null);
      history.seen(ROOM, new Seq(1), new Seq(1), NOW);
      Locale.setDefault(Locale.forLanguageTag("fa-IR-u-nu-arabext"));
      keep(ROOM, 2, "second", 30, null);
      history.seen(ROOM, new Seq(1), new Seq(2), NOW);
      assertThat(history.expire(NOW.plusSeconds(29))).isEmpty();
      assertThat(texts(history.before(ROOM, new Seq(2), 9))).containsExactly("first");
      assertThat(texts(history.expire(NOW.plusSeconds(30)))).containsExactly("first", "second");
    } finally {
      Locale.setDefault(before);
    }
  }

  private void keep(
      RoomId room, int seq, String text, @Nullable Integer expiresInS, @Nullable Doubt held) {
    SealedLine line =
        new SealedLine(
            room,
            new Seq(seq),
            BOB,
            new DeviceId("b"),
            new ClientId("c" + seq),
            seq,
            text,
            expiresInS,
            null,
            held);
    store.change(changes -> lines.keep(changes, line, sender));
  }

  private static List<String> texts(List<SealedLine> lines) {
    return lines.stream().map(SealedLine::text).toList();
  }
}
