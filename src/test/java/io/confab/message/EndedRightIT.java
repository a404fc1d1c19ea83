package io.confab.message;

import static io.confab.message.Chat.await;
import static io.confab.message.Chat.draft;
import static org.assertj.core.api.Assertions.assertThat;

import io.confab.bus.BusMessage;
import io.confab.protocol.AccountId;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.RoomId;
import io.confab.protocol.RoomSettings;
import io.confab.protocol.RoomType;
import io.confab.room.RoomCommand;
import io.confab.room.RoomNode;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/// Members lose the right to speak while they speak as fast as they can: a message has a number
/// if and only if it comes before the event that ended the right. `-Dconfab.races=1000` runs
/// more of these races.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class EndedRightIT {
  private static final int RACES = Integer.getInteger("confab.races", 50);
  private static final AccountId OWNER = new AccountId(1);
  private static final AccountId SPEAKER = new AccountId(2);

  private final Vertx vertx = Vertx.vertx();
  private TestDatabase database;
  private RoomNode node;
  private AppendStore log;
  private Random random;

  @BeforeAll
  void open() {
    database = TestDatabase.create();
    database.execute("INSERT INTO account SELECT g, 'u' || g, 'U' FROM generate_series(1, 2) g");
    node = new RoomNode(vertx, database.url());
    log = Chat.log(Chat.database(vertx, database.url()));
    random = new Random(5);
  }

  @AfterAll
  void close() {
    await(log.close());
    node.close();
    database.close();
    await(vertx.close());
  }

  private enum End {
    KICKED,
    BANNED,
    MUTED;

    RoomCommand<? extends BusMessage> command(RoomId room) {
      return switch (this) {
        case KICKED -> new RoomCommand.RemoveMember(OWNER, room, SPEAKER);
        case BANNED -> new RoomCommand.BanMember(OWNER, room, SPEAKER, "noise");
        case MUTED -> new RoomCommand.MuteMember(OWNER, room, SPEAKER, 4_000_000_000_000L);
      };
    }

    String event() {
      return this == MUTED ? "member.muted" : "member.left";
    }

    ErrorCode refusal() {
      return this == MUTED ? ErrorCode.MUTED : ErrorCode.NOT_FOUND;
    }
  }

  private record Said(Draft draft, Outcome outcome) {}

  @Test
  void aMessageHasANumberIfAndOnlyIfItComesBeforeTheEnd()
      throws InterruptedException, ExecutionException, TimeoutException {
    int stored = 0;
    for (int race = 0; race < RACES; race++) {
      End end = End.values()[race % End.values().length];
      RoomId room =
          node.get(
                  new RoomCommand.CreateRoom(
                      OWNER, RoomType.GROUP, RoomSettings.named("G"), List.of(SPEAKER)))
              .room()
              .roomId();
      CountDownLatch begun = new CountDownLatch(1 + random.nextInt(6));
      int most = 1 + random.nextInt(4);
      String name = "r" + race;
      CompletableFuture<List<Said>> speech =
          CompletableFuture.supplyAsync(() -> speak(room, name, most, begun));
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      await(node.ask(end.command(room)));
      stored += judge(room, end, speech.get(20, TimeUnit.SECONDS));
    }
    assertThat(stored).isGreaterThan(RACES);
    Chat.assertInvariants(database);
  }

  /// Until it is refused.
  private List<Said> speak(RoomId room, String name, int most, CountDownLatch begun) {
    List<Said> said = new ArrayList<>();
    for (int n = 0; ; n++) {
      List<Draft> group = new ArrayList<>();
      for (int i = 0; i <= n % most; i++) {
        group.add(draft(room.value(), SPEAKER.value(), name + "-" + n + "-" + i));
      }
      List<Outcome> outcomes = await(log.append(group));
      for (int i = 0; i < group.size(); i++) {
        said.add(new Said(group.get(i), outcomes.get(i)));
      }
      begun.countDown();
      if (outcomes.getLast() instanceof Outcome.Refused) {
        return said;
      }
    }
  }

  /// How many were stored.
  private int judge(RoomId room, End end, List<Said> said) {
    long ended =
        database.count(
            "SELECT rev FROM room_change WHERE room_id = %d AND kind = '%s'"
                .formatted(room.value(), end.event()));
    List<Draft> stored = new ArrayList<>();
    for (Said one : said) {
      switch (one.outcome()) {
        case Outcome.Stored(_, var rev, _) -> {
          assertThat(rev.value()).isLessThan(ended);
          stored.add(one.draft());
        }
        case Outcome.Refused(var refusal) -> {
          assertThat(refusal.code()).isEqualTo(end.refusal());
          assertThat(refusal.retryAfter().filter(Duration.ZERO::equals)).isEmpty();
          assertThat(refusal.retryAfter().isPresent()).isEqualTo(end == End.MUTED);
        }
        case Outcome.Duplicate _, Outcome.Mismatch _ -> throw new AssertionError(one.toString());
      }
    }
    assertThat(database.count("SELECT count(*) FROM message WHERE room_id = " + room.value()))
        .isEqualTo(stored.size());
    assertThat(await(log.append(List.of(stored.getLast()))))
        .allSatisfy(again -> assertThat(again).isInstanceOf(Outcome.Duplicate.class));
    return stored.size();
  }
}
