package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The recent window in Redis: a sorted set for each room, by rev, of sealed events. For any
/// thread.
///
/// Writes are lost when Redis is away, and overtake each other. What keeps the window right all
/// the same: the script holds older states back from newer ones (`recent_add.lua`), and a
/// reader takes only what has no hole up to a rev that it knows of. So a change that did not
/// arrive is a hole, and what it changed, which stands before it, is not read.
public final class RedisRecentWindow implements RecentEvents {
  private static final Logger LOG = LoggerFactory.getLogger(RedisRecentWindow.class);
  private static final byte SPACE = ' ';
  private static final int HEADER_FIELDS = 3;

  /// In bytes: all rooms share one connection.
  private static final int LARGEST_ANSWER = 256 << 10;

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final PublicationCodec codec;
  private final int size;
  private final Duration ttl;
  private final RedisScript part = RedisScript.resource(RedisRecentWindow.class, "recent_part.lua");
  private final RedisScript add = RedisScript.resource(RedisRecentWindow.class, "recent_add.lua");

  /// @param size how many events of a room are kept
  /// @param ttl how long they are kept after the last of them
  public RedisRecentWindow(
      RedisCommands commands, RedisKeys keys, PublicationCodec codec, int size, Duration ttl) {
    this.commands = commands;
    this.keys = keys;
    this.codec = codec;
    this.size = size;
    this.ttl = ttl;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void add(List<SealedEvent> events) {
    Map<RoomId, List<SealedEvent>> byRoom = new LinkedHashMap<>();
    for (SealedEvent event : events) {
      byRoom.computeIfAbsent(event.event().room(), _ -> new ArrayList<>()).add(event);
    }
    byRoom.forEach(
        (room, itsOwn) -> {
          if (commands.reaches(keys.recent(room))) {
            add(room, itsOwn);
          }
        });
  }

  private void add(RoomId room, List<SealedEvent> events) {
    List<SealedEvent> kept = events.subList(Math.max(0, events.size() - size), events.size());
    List<Buffer> arguments = new ArrayList<>();
    arguments.add(text(kept.getFirst().event().epoch().value()));
    arguments.add(text(ttl.toMillis()));
    arguments.add(text(size));
    kept.forEach(event -> addTo(arguments, event));
    add.run(commands, List.of(keys.recent(room)), arguments.toArray(Buffer[]::new))
        .onFailure(lost -> LOG.debug("Events are missing in the recent window", lost));
  }

  private void addTo(List<Buffer> arguments, SealedEvent sealed) {
    Event event = sealed.event();
    arguments.add(text(event.rev().value()));
    switch (event.subject()) {
      case Event.AboutMessage about -> {
        arguments.add(text(about.seq().value()));
        arguments.add(text(about.version().value()));
      }
      case Event.Departure _, Event.OfRoom _ -> {
        arguments.add(text(0));
        arguments.add(text(event.rev().value()));
      }
    }
    arguments.add(Buffer.buffer(event.subject() instanceof Event.OfChange ? "1" : "0"));
    arguments.add(Buffer.buffer(sealed.bytes()));
  }

  private static Buffer text(long number) {
    return Buffer.buffer(Long.toString(number));
  }

  @Override
  public Future<List<Event>> read(RoomId room, Span span, Epoch epoch) {
    return part.run(
            commands,
            List.of(keys.recent(room)),
            text(span.after().value()),
            text(span.upTo().value()),
            text(span.most()),
            text(LARGEST_ANSWER))
        .map(entries -> unbroken(room, entries, epoch))
        .otherwise(List.of());
  }

  private List<Event> unbroken(RoomId room, Response entries, Epoch epoch) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Optional<Event> event = event(room, entries.get(i).toBytes());
      if (event.isEmpty() || !event.get().epoch().equals(epoch)) {
        events.clear();
        continue;
      }
      if (!events.isEmpty() && !event.get().rev().equals(events.getLast().rev().next())) {
        events.clear();
      }
      events.add(event.get());
    }
    return events;
  }

  /// Behind the header of the script stands what the codec sealed; only that is trusted.
  private Optional<Event> event(RoomId room, byte[] entry) {
    int at = 0;
    for (int fields = 0; at < entry.length && fields < HEADER_FIELDS; at++) {
      if (entry[at] == SPACE) {
        fields++;
      }
    }
    return codec.decodeEvent(room, Buffer.buffer(entry).getBytes(at, entry.length));
  }
}
