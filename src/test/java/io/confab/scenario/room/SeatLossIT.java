package io.confab.scenario.room;

import static io.confab.scenario.room.CappedRoom.awaitInside;
import static io.confab.scenario.room.CappedRoom.type;
import static io.confab.testing.TestConfig.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.confab.scenario.ApiClient.Answer;
import io.confab.scenario.ChatClient;
import io.confab.scenario.Nodes;
import io.confab.testing.OwnRedis;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of a room with one seat when Redis is away or loses all, and of one who was outside
/// for long.
@Timeout(300)
class SeatLossIT {
  private static final int RESUMED = 10;

  private final OwnRedis redis = OwnRedis.start();
  private CappedRoom room = CappedRoom.on(redis.address());

  @AfterEach
  void close() {
    room.close();
    redis.close();
  }

  private void loseAll() {
    redis.kill();
    redis.startAgain();
  }

  @Test
  void whoEntersWhileRedisIsAwayIsToldToTryAgainAndNothingIsLost() {
    ChatClient b = room.live(room.bob);
    ChatClient c = room.live(room.cleo);
    ChatClient d = room.live(room.dan);
    assertThat(type(room.enter(b))).isEqualTo("seat.inside");
    assertThat(type(room.enter(c))).isEqualTo("seat.waiting");
    redis.kill();
    JsonObject refused = room.tryToEnter(d);
    assertThat(refused.getString("code")).isEqualTo("unavailable");
    assertThat(room.tryToPoll(room.ann, null).status()).isEqualTo(503);
    redis.startAgain();
    assertThat(room.enter(d).getLong("position")).isPositive();
    assertThat(c.frames("seat.inside")).isEmpty();
    room.awaitBobInsideAndCleoBeforeDan();
    assertThat(type(room.exit(b))).isEqualTo("ok");
    awaitInside(c);
    assertThat(d.frames("seat.inside")).isEmpty();
    assertThat(List.of(b, c, d)).noneMatch(SeatLossIT::lostSomething);
  }

  /// Without having given it up.
  private static boolean lostSomething(ChatClient client) {
    return client.frames("seat.lost").stream()
        .anyMatch(frame -> !frame.getString("reason").equals("left"));
  }

  @Test
  void thePlacesThatPollersCarryRestoreTheOrderOfTheLine() {
    ChatClient b = room.live(room.bob);
    room.enter(b);
    String ofCleo = room.poll(room.cleo, null).getString("place");
    String ofDan = room.poll(room.dan, null).getString("place");
    loseAll();
    assertThat(room.poll(room.ann, null).getLong("position")).as("a new one").isEqualTo(1);
    assertThat(room.poll(room.dan, ofDan).getLong("position")).isEqualTo(1);
    assertThat(room.poll(room.cleo, ofCleo).getLong("position")).isEqualTo(1);
    assertThat(room.all().getLast())
        .containsExactly(room.cleo.accountId(), room.dan.accountId(), room.ann.accountId());
  }

  @Test
  void aPlaceThatIsForgedOrSomebodyElsesIsRefused() {
    ChatClient b = room.live(room.bob);
    room.enter(b);
    String place = room.poll(room.cleo, null).getString("place");
    char first = place.charAt(0);
    String forged = (first == 'A' ? 'B' : 'A') + place.substring(1);
    for (Answer answer :
        List.of(
            room.pollAnswer(room.cleo, forged),
            room.pollAnswer(room.cleo, "x"),
            room.pollAnswer(room.dan, place))) {
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("invalid_field");
    }
    assertThat(room.all().getLast()).containsExactly(room.cleo.accountId());
    assertThat(type(room.poll(room.cleo, place))).isEqualTo("seat.waiting");
  }

  @Test
  void whoMissedTooMuchOutsideIsToldOfAGapAndGoesOnLive() {
    room.close();
    Nodes nodes = Nodes.start(0);
    for (int i = 0; i < 2; i++) {
      nodes.add(
          with(
              with(nodes.config(), "limits.resume_events_per_room", RESUMED),
              "limits.resume_events_per_session",
              RESUMED));
    }
    room = CappedRoom.on(nodes);
    ChatClient b = room.live(room.bob);
    ChatClient c = room.live(room.cleo);
    room.enter(b);
    room.enter(c);
    JsonObject last = new JsonObject();
    for (int i = 0; i <= RESUMED; i++) {
      last = b.say(room.id(), "b" + i, "words " + i);
      assertThat(type(last)).isEqualTo("message.ack");
    }
    room.exit(b);
    JsonObject gap = c.awaitFrame("room.gap");
    assertThat(gap.getString("room_id")).isEqualTo(room.id());
    assertThat(gap.getLong("rev")).isEqualTo(last.getLong("rev"));
    assertThat(c.bodies(room.id())).isEmpty();
    JsonObject own = c.say(room.id(), "c0", "mine");
    assertThat(own.getLong("rev")).isEqualTo(last.getLong("rev") + 1);
    await().until(() -> c.bodies(room.id()).equals(List.of("mine")));
  }
}
