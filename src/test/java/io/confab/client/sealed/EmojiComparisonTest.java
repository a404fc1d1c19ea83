package io.confab.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confab.protocol.AccountId;
import io.confab.protocol.DeviceId;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmojiComparisonTest {
  private EmojiComparison.Party alice;
  private EmojiComparison.Party bob;
  private EmojiComparison one;
  private EmojiComparison two;

  @BeforeEach
  void begin(@TempDir Path folder) {
    alice = party(folder.resolve("alice"), 17);
    bob = party(folder.resolve("bob"), 18);
    one = EmojiComparison.begin(alice, bob, "t1");
    two = EmojiComparison.answer(bob, alice, one.start());
  }

  @AfterEach
  void end() {
    one.close();
    two.close();
  }

  @Test
  void bothSeeTheSameSevenEmojiAndKnowEachOthersKeysThen() {
    agree(one, two);
    assertThat(one.emojis()).hasSize(7).isEqualTo(two.emojis());
    two.verify(one.mac());
    one.verify(two.mac());
  }

  @Test
  void whoStandsBetweenThemShowsThemDifferentEmoji() {
    try (EmojiComparison between = EmojiComparison.answer(bob, alice, one.start());
        EmojiComparison beyond = EmojiComparison.begin(alice, bob, "t1")) {
      agree(one, between);
      EmojiComparison real = EmojiComparison.answer(bob, alice, beyond.start());
      agree(beyond, real);
      assertThat(one.emojis()).isNotEqualTo(real.emojis());
      assertDoubt(Doubt.BAD_SIGNATURE, () -> real.verify(one.mac()));
      real.close();
    }
  }

  @Test
  void anotherKeyThanWasPromisedEndsIt() {
    one.accepted(two.accept());
    two.agree(one.key());
    try (EmojiComparison other = EmojiComparison.begin(alice, bob, "t1")) {
      other.accepted(two.accept());
      assertDoubt(Doubt.BAD_SIGNATURE, () -> one.agree(other.key()));
    }
  }

  @Test
  void aKeyOfZerosEndsIt() {
    assertDoubt(Doubt.BAD_KEY, () -> two.agree(key("A".repeat(43))));
  }

  @Test
  void nobodyGivesItsKeyBeforeTheOtherIsBound() {
    assertThatThrownBy(one::key).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(two::key).isInstanceOf(IllegalStateException.class);
    assertDoubt(Doubt.MALFORMED, () -> one.agree(key("A".repeat(43))));
    assertDoubt(Doubt.MALFORMED, one::emojis);
  }

  @Test
  void aStepThatComesTwiceEndsIt() {
    agree(one, two);
    assertDoubt(Doubt.MALFORMED, () -> one.agree(two.key()));
    assertDoubt(Doubt.MALFORMED, () -> one.accepted(two.accept()));
  }

  @Test
  void keysThatTheServerExchangedAreNotVerified(@TempDir Path folder) {
    EmojiComparison.Party swapped =
        new EmojiComparison.Party(alice.device(), party(folder.resolve("x"), 17).master());
    try (EmojiComparison deceived = EmojiComparison.answer(bob, swapped, one.start())) {
      agree(one, deceived);
      assertThat(deceived.emojis()).isEqualTo(one.emojis());
      assertDoubt(Doubt.BAD_SIGNATURE, () -> deceived.verify(one.mac()));
    }
  }

  @Test
  void aDeviceWhoseKeysTheServerExchangedIsNotVerified(@TempDir Path folder) {
    EmojiComparison.Party swapped =
        new EmojiComparison.Party(party(folder.resolve("x"), 17).device(), alice.master());
    try (EmojiComparison deceived = EmojiComparison.answer(bob, swapped, one.start())) {
      agree(one, deceived);
      assertDoubt(Doubt.BAD_SIGNATURE, () -> deceived.verify(one.mac()));
    }
  }

  @Test
  void ofAnotherTransactionNothingIsTaken() {
    ObjectNode accept = two.accept().put("transaction_id", "t2");
    assertDoubt(Doubt.MALFORMED, () -> one.accepted(accept));
  }

  @Test
  void everyNumberOfSixBitsHasAnEmojiOfItsOwn() {
    assertThat(Emojis.count()).isEqualTo(64);
    List<String> all = IntStream.range(0, 64).mapToObj(Emojis::of).toList();
    assertThat(all).doesNotHaveDuplicates().allMatch(emoji -> emoji.contains(" "));
    assertThat(all.get(63)).endsWith("Pin");
    assertThat(all.get(32)).endsWith("Hat");
  }

  private static void agree(EmojiComparison starts, EmojiComparison other) {
    starts.accepted(other.accept());
    other.agree(starts.key());
    starts.agree(other.key());
  }

  private static ObjectNode key(String key) {
    return SealedJson.object().put("transaction_id", "t1").put("key", key);
  }

  private static EmojiComparison.Party party(Path folder, long account) {
    AccountId id = new AccountId(account);
    try (SealedStore store = SealedStore.open(folder)) {
      DeviceIdentity device = store.transact(new DeviceAccount(id, new DeviceId("d"))::open);
      AccountIdentity identity = store.transact(new OwnIdentity(id)::create);
      return new EmojiComparison.Party(device, identity.master());
    }
  }

  private static void assertDoubt(Doubt doubt, ThrowingCallable step) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            Untrusted.class, untrusted -> assertThat(untrusted.doubt()).isEqualTo(doubt));
  }
}
