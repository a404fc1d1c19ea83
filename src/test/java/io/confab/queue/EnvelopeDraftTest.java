package io.confab.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confab.feed.QueuedSend;
import io.confab.protocol.AccountId;
import io.confab.protocol.Caller;
import io.confab.protocol.ClientId;
import io.confab.protocol.DeviceId;
import io.confab.protocol.EnvelopeFields;
import io.confab.protocol.EnvelopeFields.KeyBody;
import io.confab.protocol.Epoch;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.QueueSeq;
import io.confab.protocol.Refusal;
import io.confab.protocol.RegistrationId;
import io.confab.protocol.RoomId;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvelopeDraftTest {
  /// What stands for no room in the database is no room that anybody can name.
  @Test
  void theNumberThatStandsForNoRoomIsNoRoom() {
    EnvelopeFields send = new EnvelopeFields(new ClientId("c"), null, true, null, "p", List.of());
    Caller sender = new Caller(new AccountId(1), new DeviceId("d"));
    assertThat(EnvelopeDraft.of(null, sender, send).room()).isEqualTo(EnvelopeDraft.NO_ROOM);
    assertThatThrownBy(() -> EnvelopeDraft.of(RoomId.parse("0000000000000"), sender, send))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  /// What is printed may reach a log.
  @Test
  void nothingThatOnlyClientsUnderstandIsEverPrinted() {
    KeyBody body =
        new KeyBody(new AccountId(1), new DeviceId("d"), new RegistrationId(7), "canary");
    EnvelopeDraft draft =
        new EnvelopeDraft(
            new RoomId(3),
            new Caller(new AccountId(1), new DeviceId("d")),
            new ClientId("c"),
            "0123456789abcdef",
            false,
            null,
            "canary",
            List.of(body));
    QueuedSend.Place place =
        new QueuedSend.Place(new RegistrationId(7), new QueueSeq(1), true, "canary");
    QueuedSend send =
        new QueuedSend(
            new RoomId(3),
            null,
            new Epoch(1),
            1,
            "canary".getBytes(java.nio.charset.StandardCharsets.UTF_8),
            List.of(place));
    assertThat(List.of(draft, body, place, send).toString()).contains("c").doesNotContain("canary");
  }
}
