package io.confab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.confab.client.ChatMessage;
import io.confab.client.ChatRoom;
import io.confab.client.RoomSignal;
import io.confab.client.RoomUpdate;
import io.confab.protocol.AccountId;
import io.confab.protocol.ClientId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Mention;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NewsTest {
  private static final RoomId TEA = new RoomId(1);
  private static final RoomId BEN = new RoomId(2);
  private static final AccountId SELF = new AccountId(10);
  private static final AccountId OTHER = new AccountId(11);

  private final News news = new News(SELF);

  private static ChatRoom listed(RoomId room, long rev, long unread, long mentions) {
    return new ChatRoom(
        room,
        "group",
        "g",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        2,
        null,
        null,
        null,
        null,
        new Epoch(1),
        new Seq(rev),
        new Rev(rev),
        null,
        null,
        unread,
        mentions,
        null);
  }

  private static RoomUpdate said(RoomId room, long rev, AccountId sender, Mention... mentions) {
    return new RoomUpdate.Said(
        new ChatMessage(
            room,
            new Seq(rev),
            new Rev(rev),
            null,
            sender,
            new ClientId("c" + rev),
            "text",
            "hi",
            null,
            null,
            List.of(mentions),
            0,
            null,
            null,
            null));
  }

  private String text() {
    return news.text(Optional.empty(), room -> room.equals(TEA) ? "tea" : "@ben");
  }

  @Test
  void whatTheServerCountedIsNotCountedAgain() {
    news.listed(List.of(listed(TEA, 7, 3, 1)));

    assertThat(news.add(said(TEA, 7, OTHER))).isFalse();
    assertThat(text()).isEqualTo("tea 3 (@1)");
    assertThat(news.add(said(TEA, 8, OTHER, Mention.of(SELF)))).isTrue();
    assertThat(news.add(said(TEA, 9, OTHER, Mention.of(OTHER)))).isFalse();
    assertThat(news.add(said(TEA, 10, SELF))).isFalse();
    assertThat(text()).isEqualTo("tea 5 (@2)");
  }

  @Test
  void aListThatIsOlderThanWhatCameChangesNothing() {
    news.add(said(TEA, 8, OTHER));
    news.listed(List.of(listed(TEA, 7, 0, 0)));

    assertThat(text()).isEqualTo("tea 1");
  }

  @Test
  void whatIsReadElsewhereIsGoneAndPeopleComeFirst() {
    news.add(said(TEA, 8, OTHER));
    news.add(said(BEN, 4, OTHER));
    assertThat(text()).isEqualTo("@ben 1 · tea 1");
    assertThat(news.text(Optional.of(BEN), _ -> "tea")).isEqualTo("tea 1");

    news.recounted(new RoomSignal.Unread(BEN, 0, 0, 1, new Seq(4)));
    assertThat(text()).isEqualTo("tea 1");
    news.recounted(new RoomSignal.Unread(TEA, 6, 2, 6, new Seq(8)));
    assertThat(text()).isEqualTo("tea 6 (@2)");
    news.seen(TEA);
    assertThat(text()).isEmpty();
  }

  @Test
  void aCountAddsWhatCameBehindItAndHasWhatComesLaterUpToThere() {
    news.add(said(TEA, 8, OTHER, Mention.of(SELF)));
    news.add(said(TEA, 9, OTHER));
    news.recounted(new RoomSignal.Unread(TEA, 4, 2, 4, new Seq(8)));
    assertThat(text()).isEqualTo("tea 5 (@2)");

    news.recounted(new RoomSignal.Unread(TEA, 2, 0, 2, new Seq(11)));
    news.add(said(TEA, 10, OTHER));
    news.add(said(TEA, 11, OTHER));
    assertThat(text()).isEqualTo("tea 2");
    news.add(said(TEA, 12, OTHER));
    assertThat(text()).isEqualTo("tea 3");
  }

  private static RoomUpdate sealed(RoomId room, long seq, AccountId sender) {
    return new RoomUpdate.Sealed(
        new RoomUpdate.Change(room, new Rev(seq), sender, 0), new Seq(seq));
  }

  @Test
  void whatOthersSealedCountsAndOnesOwnDoesNot() {
    news.listed(List.of(listed(TEA, 7, 3, 1)));

    assertThat(news.add(sealed(TEA, 7, OTHER))).isFalse();
    assertThat(news.add(sealed(TEA, 8, SELF))).isFalse();
    assertThat(text()).isEqualTo("tea 3 (@1)");
    assertThat(news.add(sealed(TEA, 9, OTHER))).isTrue();
    assertThat(text()).isEqualTo("tea 4 (@1)");
    news.recounted(new RoomSignal.Unread(TEA, 0, 0, 0, new Seq(9)));
    assertThat(text()).isEmpty();
  }
}
