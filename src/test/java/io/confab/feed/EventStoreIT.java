package io.confab.feed;

import static io.confab.message.Chat.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.confab.feed.EventCommand.EventPage;
import io.confab.feed.EventCommand.Positions;
import io.confab.feed.EventCommand.RoomPosition;
import io.confab.message.Chat;
import io.confab.postgres.Database;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.LeaveReason;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.confab.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventStoreIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestDatabase postgres = TestDatabase.create();
  private final Database database;
  private final EventStore store;

  EventStoreIT(Vertx vertx) {
    this.database = Chat.database(vertx, postgres.nodeUrl());
    this.store = new EventStore(database);
  }

  @AfterAll
  void close() {
    await(database.close());
    postgres.close();
  }

  @Test
  void everyPageOfARandomHistoryIsWhatTheModelSays() throws IOException {
    for (int seed = 1; seed <= 12; seed++) {
      Random random = new Random(seed);
      RoomId room = new RoomId(seed);
      List<String> model = history(room, random);
      for (int i = 0; i < 40; i++) {
        int after = random.nextInt(model.size() + 3);
        int limit = 1 + random.nextInt(model.size() + 2);
        EventPage page = await(store.read(room, new Rev(after), limit));
        int from = Math.min(after, model.size());
        int to = Math.min(from + limit, model.size());
        assertThat(describe(page)).as("seed %s", seed).isEqualTo(model.subList(from, to));
        assertThat(page.head().value()).isEqualTo(model.size());
        for (int k = 0; k < page.events().size(); k++) {
          assertThat(page.events().get(k).rev().value()).isEqualTo(after + k + 1L);
        }
      }
    }
  }

  @Test
  void aPageOfLargeEventsEndsWithTheOneThatReachesItsBytes() {
    int body = 16_000;
    postgres.execute(Chat.room(700, "group", 1, 1));
    for (int seq = 1; seq <= 50; seq++) {
      postgres.execute(
          """
          INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
            VALUES (700, %1$d, %1$d, %1$d, 1, now(), 'c%1$d', 'text', repeat('x', %2$d));
          UPDATE room_position SET last_seq = %1$d, last_rev = %1$d WHERE room_id = 700\
          """
              .formatted(seq, body));
    }
    int fit = Math.ceilDiv(EventStore.PAGE_BYTES, body);
    List<Long> read = new ArrayList<>();
    while (read.size() < 50) {
      EventPage page = await(store.read(new RoomId(700), new Rev(read.size()), 200));
      assertThat(page.events()).hasSize(Math.min(fit, 50 - read.size()));
      assertThat(page.head()).isEqualTo(new Rev(50));
      page.events().forEach(event -> read.add(event.rev().value()));
    }
    assertThat(read).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void anUnknownRoomIsRefused() {
    assertThatThrownBy(() -> await(store.read(new RoomId(999), Rev.ZERO, 10)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void aDepartureNamesWhoLeftAndWhy() {
    AccountId gone = new AccountId(77);
    postgres.execute(Chat.room(500, "group", 1, 1));
    postgres.execute(
        Chat.change(500, "member.left", "{\"account_id\":\"" + gone + "\",\"reason\":\"banned\"}"));
    Event event = await(store.read(new RoomId(500), Rev.ZERO, 10)).events().getFirst();
    assertThat(event.subject()).isEqualTo(new Event.Departure(gone, LeaveReason.BANNED));
  }

  @Test
  void positionsLeaveOutRoomsThatDoNotExist() {
    postgres.execute(Chat.room(600, "group", 1, 1));
    postgres.execute(Chat.change(600, "room.archived", "{}"));
    RoomId room = new RoomId(600);
    assertThat(await(store.positions(List.of(room, new RoomId(601)))))
        .isEqualTo(
            new Positions(new Epoch(1), List.of(new RoomPosition(room, Seq.ZERO, new Rev(1)))));
    assertThat(await(store.positions(List.of()))).isEqualTo(new Positions(new Epoch(1), List.of()));
  }

  /// Writes messages and changes in a random order and answers what each rev is.
  private List<String> history(RoomId room, Random random) {
    long id = room.value();
    postgres.execute(Chat.room(id, "group", 1, 3));
    List<String> model = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    int length = random.nextInt(60);
    int messages = 0;
    double chance = random.nextDouble();
    for (int rev = 1; rev <= length; rev++) {
      if (random.nextDouble() < chance) {
        AccountId who = new AccountId(random.nextInt(1_000));
        sql.append(Chat.change(id, "member.joined", "{\"account_id\":\"" + who + "\"}"));
        model.add("joined " + who);
      } else {
        messages++;
        sql.append(
            """
            INSERT INTO message (room_id, seq, rev, ordinal, sender_id, ts, client_id, msg_type, body)
              VALUES (%1$d, %2$d, %3$d, %2$d, 1, now(), 'c%3$d', 'text', 'b');
            UPDATE room_position SET last_seq = %2$d, last_rev = %3$d WHERE room_id = %1$d;
            """
                .formatted(id, messages, rev));
        model.add("message " + messages);
      }
    }
    sql.append("SELECT 1");
    postgres.execute(sql.toString());
    return model;
  }

  private static List<String> describe(EventPage page) throws IOException {
    List<String> events = new ArrayList<>();
    for (Event event : page.events()) {
      JsonNode frame = JSON.readTree(event.frame());
      assertThat(frame.get("rev").asLong()).isEqualTo(event.rev().value());
      events.add(
          frame.get("type").asText().equals("message.receive")
              ? "message " + frame.get("seq").asLong()
              : "joined " + frame.get("account_id").asText());
    }
    return events;
  }
}
