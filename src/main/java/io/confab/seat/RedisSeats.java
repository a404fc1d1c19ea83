package io.confab.seat;

import io.confab.feed.SeatNews;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.protocol.SeatLoss;
import io.confab.protocol.WireName;
import io.confab.redis.RedisCommands;
import io.confab.redis.RedisKeys;
import io.confab.redis.RedisScript;
import io.confab.seat.SeatPlace.Opened;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The seats of rooms in Redis. Every transition is one script, and all of them begin with
/// `seats.lua`, where the rules are. Fails with `unavailable` while Redis is away.
final class RedisSeats {
  /// A session that says nothing keeps what it has for the lease and the grace.
  static final Duration GRACE = Duration.ofSeconds(20);

  /// So long a poll keeps what an account has.
  static final Duration POLL = Duration.ofSeconds(30);

  /// So long a seat is kept for one who is not there.
  static final Duration OFFER = Duration.ofSeconds(15);

  /// More than a day after the use of a room was noted last: docs/adr/0054.
  private static final Duration LIFE = Duration.ofHours(25);

  private static final String SHARED = "seats.lua";

  private final RedisCommands commands;
  private final RedisKeys keys;
  private final Duration lease;
  private final RedisScript enter = script("enter.lua");
  private final RedisScript beat = script("beat.lua");
  private final RedisScript leave = script("leave.lua");
  private final RedisScript disconnected = script("disconnected.lua");
  private final RedisScript letIn = script("let_in.lua");
  private final RedisScript visit = script("visit.lua");
  private final RedisScript look = script("look.lua");
  private final RedisScript holds = RedisScript.resource(RedisSeats.class, "holds.lua");
  private final RedisScript sweeper = RedisScript.resource(RedisSeats.class, "sweeper.lua");

  RedisSeats(RedisCommands commands, RedisKeys keys) {
    this(commands, keys, SeatCommand.LEASE);
  }

  /// @param lease for how long a session is there after it said something
  RedisSeats(RedisCommands commands, RedisKeys keys, Duration lease) {
    this.commands = commands;
    this.keys = keys;
    this.lease = lease;
  }

  private static RedisScript script(String name) {
    return RedisScript.resource(RedisSeats.class, SHARED, name);
  }

  /// How a room is met.
  ///
  /// @param opening null: not to be set up
  /// @param capacity null: as it is there
  record Visit(
      RoomId room, SeatTerms terms, @Nullable SeatOpening opening, @Nullable Capacity capacity) {
    private List<String> arguments(Duration lease) {
      return List.of(
          String.join(" ", terms.instances()),
          Long.toString(terms.epoch()),
          Long.toString(terms.goodUntil()),
          millis(terms.pause()),
          millis(terms.calm()),
          opening == null ? "0" : Long.toString(opening.number()),
          flag(opening != null && opening.lost()),
          capacity == null ? "" : Integer.toString(capacity.seats()),
          capacity == null ? "0" : Long.toString(capacity.rev()),
          millis(lease),
          millis(GRACE),
          millis(POLL),
          millis(OFFER),
          millis(SeatTerms.PAUSE),
          millis(LIFE),
          capacity == null ? "0" : Long.toString(capacity.began()));
    }
  }

  /// @param session whether its node goes on with beats
  /// @param place that it claims; null: none
  /// @param seat with which rev the capacity began under which it had the seat that it claims;
  ///     null: it claims none
  record Entry(AccountId account, boolean session, @Nullable Opened place, @Nullable Long seat) {
    private List<String> arguments() {
      return List.of(
          account.toString(),
          flag(session),
          place == null ? "" : Long.toString(place.ticket()),
          place == null ? "" : Long.toString(place.began()),
          seat == null ? "" : seat.toString());
    }
  }

  /// They enter one after the other.
  Future<SeatAnswer> enter(Visit at, List<Entry> entries) {
    return run(enter, at, entries.stream().map(Entry::arguments).flatMap(List::stream).toList());
  }

  /// What is claimed for an account that checks in.
  ///
  /// @param claim [#SEAT], a ticket or nothing
  /// @param began with which rev the capacity did under which it had that
  record Claim(AccountId account, String claim, long began) {
    static final String SEAT = "seat";

    static Claim none(AccountId account) {
      return new Claim(account, "", 0);
    }
  }

  Future<SeatAnswer> beat(Visit at, List<Claim> claims) {
    List<String> arguments = new ArrayList<>();
    for (Claim each : claims) {
      arguments.add(each.account().toString());
      arguments.add(each.claim());
      arguments.add(Long.toString(each.began()));
    }
    return run(beat, at, arguments);
  }

  Future<SeatAnswer> leave(Visit at, SeatLoss why, List<AccountId> accounts) {
    List<String> arguments = new ArrayList<>();
    arguments.add(why.wire());
    accounts.forEach(account -> arguments.add(account.toString()));
    return run(leave, at, arguments);
  }

  Future<SeatAnswer> disconnected(Visit at, AccountId account) {
    return run(disconnected, at, List.of(account.toString()));
  }

  Future<SeatAnswer> letIn(Visit at, AccountId account) {
    return run(letIn, at, List.of(account.toString()));
  }

  /// Lets what is over be over; answers how these stand.
  Future<SeatAnswer> visit(Visit at, List<AccountId> accounts) {
    return run(visit, at, accounts.stream().map(AccountId::toString).toList());
  }

  /// Answers some of those inside, and the first in the line, as far as who looks may know them;
  /// third stands how who looks does.
  ///
  /// @param leads whether it looks after the room
  Future<SeatAnswer> look(Visit at, int most, AccountId viewer, boolean leads) {
    return run(look, at, List.of(Integer.toString(most), viewer.toString(), flag(leads)));
  }

  /// Whether the account has a seat, as far as Redis knows.
  Future<Boolean> holds(RoomId room, AccountId account) {
    return holds
        .run(commands, keys.seats(room), List.of(account.toString()))
        .map(answer -> answer.toInteger() == 1);
  }

  /// Whether this node looks after all rooms.
  Future<Boolean> isSweeper(String node, Duration lease) {
    return sweeper
        .run(commands, List.of(keys.seatSweeper()), List.of(node, millis(lease)))
        .map(answer -> answer.toInteger() == 1);
  }

  private Future<SeatAnswer> run(RedisScript script, Visit at, List<String> own) {
    List<String> arguments = new ArrayList<>(at.arguments(lease));
    arguments.addAll(own);
    return script.run(commands, keys.seats(at.room()), arguments).map(RedisSeats::answer);
  }

  private static SeatAnswer answer(Response said) {
    return switch (said.get(0).toString()) {
      case "moved" -> new SeatAnswer.Moved();
      case "stale" -> new SeatAnswer.Stale(said.get(1).toLong());
      case "absent" -> new SeatAnswer.Absent();
      case "late" -> new SeatAnswer.Late();
      default ->
          new SeatAnswer.Done(
              numbers(said.get(1)),
              said.get(2).stream().map(RedisSeats::words).toList(),
              said.get(3).stream().map(RedisSeats::change).toList());
    };
  }

  private static List<String> words(Response list) {
    return list.stream().map(Response::toString).toList();
  }

  private static SeatNumbers numbers(Response said) {
    return new SeatNumbers(
        said.get(0).toLong(),
        said.get(1).toLong(),
        said.get(2).toInteger() == 1,
        said.get(3).toLong(),
        said.get(4).toLong(),
        said.get(5).toLong(),
        said.get(6).toLong(),
        said.get(7).toLong(),
        said.get(8).toLong());
  }

  private static SeatChange change(Response said) {
    return new SeatChange(
        AccountId.parse(said.get(0).toString()),
        WireName.of(SeatNews.class, said.get(1).toString()),
        said.get(2).toLong());
  }

  private static String flag(boolean set) {
    return set ? "1" : "0";
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
