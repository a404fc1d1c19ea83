package io.confab.http;

import static io.vertx.core.http.HttpMethod.GET;

import com.fasterxml.jackson.databind.util.RawValue;
import io.confab.bus.Bus;
import io.confab.limit.Limit;
import io.confab.message.MessageCommand.HistoryPage;
import io.confab.message.MessageCommand.LogPage;
import io.confab.message.MessageCommand.Point;
import io.confab.message.MessageCommand.ReadHistory;
import io.confab.message.MessageCommand.ReadLog;
import io.confab.message.Seating;
import io.confab.protocol.AccountId;
import io.confab.protocol.Epoch;
import io.confab.protocol.Refusal;
import io.confab.protocol.Rev;
import io.confab.protocol.RoomId;
import io.confab.protocol.Seq;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The history of a room: pages of messages, pages of events, and the export of all messages.
final class HistoryRoutes {
  private static final int PAGE = 50;
  private static final List<String> POSITIONS = List.of("before", "after", "around", "anchor");

  private final Bus bus;
  private final Seating seating;
  private final int mostExports;
  private int exporting;

  /// @param mostExports under way at once
  HistoryRoutes(Bus bus, Seating seating, int mostExports) {
    this.bus = bus;
    this.seating = seating;
    this.mostExports = mostExports;
  }

  void mount(Routes routes) {
    routes.compressed(
        GET,
        "/v1/rooms/:room_id/messages?before=&after=&around=&anchor=&limit=",
        Limit.READS,
        this::readHistory);
    routes.compressed(
        GET, "/v1/rooms/:room_id/events?epoch=&after_rev=&limit=", Limit.READS, this::readLog);
    routes.compressed(GET, "/v1/rooms/:room_id/export", Limit.EXPORTS, this::export);
  }

  private Future<Answer> readHistory(AccountId caller, Call call) {
    ReadHistory page = page(caller, call.room(), call.query());
    return read(page).map(Answer::ok);
  }

  private Future<HistoryPage> read(ReadHistory page) {
    return seating.attempt(
        page.caller(), page.roomId(), inside -> bus.request(page.seated(inside)));
  }

  private static ReadHistory page(AccountId caller, RoomId room, Query query) {
    int limit = query.limit(PAGE);
    List<String> given = POSITIONS.stream().filter(query::has).toList();
    if (given.size() > 1) {
      throw Refusal.invalidField(given.getLast(), "stands beside " + given.getFirst());
    }
    if (given.isEmpty()) {
      return ReadHistory.newest(caller, room, limit);
    }
    String position = given.getFirst();
    return switch (position) {
      case "before" -> new ReadHistory(caller, room, Point.BEFORE, seq(query, position), limit);
      case "after" -> new ReadHistory(caller, room, Point.AFTER, seq(query, position), limit);
      case "around" -> new ReadHistory(caller, room, Point.AROUND, seq(query, position), limit);
      default -> anchored(caller, room, query.text("anchor"), limit);
    };
  }

  private static Seq seq(Query query, String position) {
    return new Seq(query.requiredNumber(position));
  }

  private static ReadHistory anchored(
      AccountId caller, RoomId room, @Nullable String anchor, int limit) {
    if ("newest".equals(anchor)) {
      return ReadHistory.newest(caller, room, limit);
    }
    if ("oldest".equals(anchor)) {
      return ReadHistory.oldest(caller, room, limit);
    }
    if ("first_unread".equals(anchor)) {
      return ReadHistory.firstUnread(caller, room, limit);
    }
    throw Refusal.invalidField("anchor", "must be newest, oldest or first_unread");
  }

  /// A page of events as it stands on the wire.
  record Events(Epoch epoch, boolean recovered, List<RawValue> events, Rev rev, boolean hasMore) {
    static Events of(LogPage page) {
      Stream<String> frames =
          page.frames().stream().map(frame -> new String(frame, StandardCharsets.UTF_8));
      return new Events(
          page.epoch(),
          page.recovered(),
          frames.map(RawValue::new).toList(),
          page.rev(),
          page.hasMore());
    }
  }

  private Future<Answer> readLog(AccountId caller, Call call) {
    RoomId room = call.room();
    Query query = call.query();
    Epoch epoch = new Epoch(query.requiredNumber("epoch"));
    Rev after = new Rev(query.requiredNumber("after_rev"));
    int limit = query.limit(PAGE);
    return seating
        .attempt(
            caller,
            room,
            inside -> bus.request(new ReadLog(caller, room, epoch, after, limit, inside)))
        .map(page -> Answer.ok(Events.of(page)));
  }

  private Future<Answer> export(AccountId caller, Call call) {
    RoomId room = call.room();
    countUntilItsEnd(call.context());
    return Export.begin(
            after -> read(new ReadHistory(caller, room, Point.AFTER, after, Query.MOST)))
        .map(lines -> new Answer.Streamed("application/x-ndjson", lines));
  }

  /// An export holds pages before the first of them is written. Refusal: `unavailable`.
  private void countUntilItsEnd(RoutingContext context) {
    if (exporting >= mostExports || context.response().closed()) {
      throw Refusal.unavailable("too many exports are under way");
    }
    exporting++;
    context.addEndHandler(_ -> exporting--);
  }
}
