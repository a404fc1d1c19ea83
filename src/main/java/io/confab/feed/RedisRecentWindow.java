package io.confab.feed;

import io.confab.protocol.Epoch;
import io.confab.protocol.RoomId;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The recent window in Redis: a hash for each room and epoch, by rev, of sealed events. For any
/// thread.
///
/// Writes are lost when Redis is away, and overtake each other. What keeps the window right all
/// the same: the script holds older states back from newer ones (`recent_add.lua`), and a
/// reader takes only what has no hole up to a rev that it knows of. So a change that did not
/// arrive is a hole, and what it changed, which stands before it, is not read.
public final class RedisRecentWindow implements RecentEvents {
  private static final Logger LOG = LoggerFactory.getLogger(RedisRecentWindow.class);

  /// In bytes: all rooms share one connection.
  private static final int LARGEST_ANSWER = 256 << 10;

  /// Several calls go into one script as long as they have no more events, or bytes of them: Redis
  /// does nothing else meanwhile.
  private static final int MOST_EVENTS = 64;

  private static final int MOST_BYTES = 64 << 10;

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final PublicationCodec codec;
  private final Extent extent;
  private final WindowBudget budget;
  private final RedisScript part = RedisScript.resource(RedisRecentWindow.class, "recent_part.lua");
  private final RedisScript add = RedisScript.resource(RedisRecentWindow.class, "recent_add.lua");

  /// How much is kept.
  ///
  /// @param events of a room the newest, so many
  /// @param bytes of them, so many and the newest event
  /// @param ttl after the last of them
  /// @param all bytes of all rooms that this node writes
  public record Extent(int events, int bytes, Duration ttl, long all) {}

  /// What one call brought for one window.
  private record Addition(String window, List<SealedEvent> events) {
    int bytes() {
      int bytes = 0;
      for (SealedEvent event : events) {
        bytes += event.bytes().length;
      }
      return bytes;
    }
  }

  public RedisRecentWindow(
      RedisCommands commands, RedisKeys keys, PublicationCodec codec, Extent extent) {
    this.commands = commands;
    this.keys = keys;
    this.codec = codec;
    this.extent = extent;
    this.budget = new WindowBudget(extent.all());
  }

  @Override
  public int size() {
    return extent.events();
  }

  @Override
  public void add(List<SealedEvent> events) {
    addAll(List.of(events));
  }

  @Override
  public void addAll(List<List<SealedEvent>> calls) {
    List<Addition> additions = new ArrayList<>();
    for (List<SealedEvent> call : calls) {
      Map<String, List<SealedEvent>> byWindow = new LinkedHashMap<>();
      for (SealedEvent event : call) {
        byWindow.computeIfAbsent(window(event.event()), _ -> new ArrayList<>()).add(event);
      }
      byWindow.forEach((window, events) -> additions.add(addition(window, events)));
    }
    additions.removeIf(addition -> !commands.reaches(addition.window()));
    commands.partition(additions, Addition::window).forEach(this::sendInPortions);
  }

  private String window(Event event) {
    return keys.recent(event.room(), event.epoch());
  }

  private Addition addition(String window, List<SealedEvent> events) {
    int over = Math.max(0, events.size() - extent.events());
    return new Addition(window, events.subList(over, events.size()));
  }

  private void sendInPortions(List<Addition> additions) {
    int from = 0;
    int events = 0;
    int bytes = 0;
    for (int i = 0; i < additions.size(); i++) {
      int itsEvents = additions.get(i).events().size();
      int itsBytes = additions.get(i).bytes();
      if (i > from && (events + itsEvents > MOST_EVENTS || bytes + itsBytes > MOST_BYTES)) {
        send(additions.subList(from, i));
        from = i;
        events = 0;
        bytes = 0;
      }
      events += itsEvents;
      bytes += itsBytes;
    }
    if (from < additions.size()) {
      send(additions.subList(from, additions.size()));
    }
  }

  private void send(List<Addition> additions) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(text(extent.ttl().toMillis()));
    arguments.add(text(extent.events()));
    arguments.add(text(extent.bytes()));
    for (Addition addition : additions) {
      arguments.add(text(addition.events().size()));
      addition.events().forEach(event -> addTo(arguments, event));
    }
    List<String> windows = additions.stream().map(Addition::window).toList();
    add.runBytes(commands, windows, arguments)
        .onSuccess(bytes -> count(windows, bytes))
        .onFailure(lost -> LOG.debug("Events are missing in the recent window", lost));
  }

  private void count(List<String> windows, Response bytes) {
    LinkedHashMap<String, Long> held = new LinkedHashMap<>();
    for (int i = 0; i < windows.size(); i++) {
      held.putLast(windows.get(i), bytes.get(i).toLong());
    }
    budget.hold(held).forEach(this::drop);
  }

  private void drop(String window) {
    commands.send(window, Request.cmd(Command.UNLINK).arg(window));
  }

  private void addTo(List<byte[]> arguments, SealedEvent sealed) {
    Event event = sealed.event();
    arguments.add(text(event.rev().value()));
    switch (event.subject()) {
      case Event.AboutMessage about -> {
        arguments.add(text(about.seq().value()));
        arguments.add(text(about.version().value()));
      }
      case Event.Departure _, Event.OfRoom _, Event.OfSealed _ -> {
        arguments.add(text(0));
        arguments.add(text(event.rev().value()));
      }
    }
    arguments.add(text(event.subject() instanceof Event.OfChange ? 1 : 0));
    arguments.add(sealed.bytes());
  }

  private static byte[] text(long number) {
    return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public Future<List<Event>> read(RoomId room, Span span, Epoch epoch) {
    return part.runBytes(
            commands,
            List.of(keys.recent(room, epoch)),
            List.of(
                text(span.after().value()),
                text(span.upTo().value()),
                text(span.most()),
                text(LARGEST_ANSWER)))
        .map(entries -> unbroken(room, entries, epoch))
        .otherwise(List.of());
  }

  private List<Event> unbroken(RoomId room, Response entries, Epoch epoch) {
    List<Event> events = new ArrayList<>();
    for (Response entry : entries) {
      Event event = codec.decodeEvent(room, entry.toBytes()).orElse(null);
      boolean isNext =
          event != null
              && event.epoch().equals(epoch)
              && (events.isEmpty() || event.rev().equals(events.getLast().rev().next()));
      if (!isNext) {
        events.clear(); // what is forged is a hole
      }
      if (event != null && event.epoch().equals(epoch)) {
        events.add(event);
      }
    }
    return events;
  }
}
