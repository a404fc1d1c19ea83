package io.confab.socket;

import io.confab.bus.Requests;
import io.confab.presence.PresenceCommand.FindRooms;
import io.confab.presence.PresenceCommand.FoundRoom;
import io.confab.presence.PresenceCommand.FoundRooms;
import io.confab.protocol.AccountId;
import io.confab.protocol.CloseCode;
import io.confab.protocol.ErrorCode;
import io.confab.protocol.PresenceView;
import io.confab.protocol.Refusal;
import io.confab.protocol.RoomId;
import io.confab.protocol.ServerFrame.Presence;
import io.confab.protocol.ServerFrame.PresenceCount;
import io.confab.protocol.ServerFrame.PresenceState;
import io.confab.protocol.ServerFrame.RoomOnline;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What one session watches, and what it was told of that. A full socket is told nothing: what is
/// another thing when it has drained is told then. Belongs to one event loop.
final class PresenceWatch {
  /// Of the members of rooms, so many who are there stand in the answer; the others follow.
  private static final int MOST_ANSWERED = 1_000;

  private static final String TOO_MUCH = "too much is watched on this node";

  private final AccountId viewer;
  private final WatchedAccount own;
  private final Outbound out;
  private final Requests bus;
  private final WatchedAccounts accounts;
  private final WatchedRooms watchedRooms;
  private final Map<AccountId, Sighting> sightings = new HashMap<>();
  private final Map<RoomId, WatchedRoom> rooms = new HashMap<>();

  /// The numbers that were told.
  private final Map<RoomId, Long> counts = new HashMap<>();

  private Future<Void> answered = Future.succeededFuture();
  private long begun;
  private boolean answering;
  private boolean behind;
  private boolean closed;

  /// A room that it watches has got more members than there is room for: the session ends.
  private boolean overfull;

  PresenceWatch(
      AccountId viewer,
      Outbound out,
      Requests bus,
      WatchedAccounts accounts,
      WatchedRooms watchedRooms) {
    this.viewer = viewer;
    this.out = out;
    this.bus = bus;
    this.accounts = accounts;
    this.watchedRooms = watchedRooms;
    this.own = accounts.join(this);
  }

  /// The account whose session this is.
  WatchedAccount own() {
    return own;
  }

  AccountId viewer() {
    return viewer;
  }

  /// How often it began to watch something else. That the account is a member of the rooms was read
  /// before each time.
  long begun() {
    return begun;
  }

  boolean watches(WatchedRoom room) {
    return rooms.get(room.id()) == room;
  }

  Collection<Sighting> sightings() {
    return sightings.values();
  }

  /// Whether the account is there, as far as the session may know.
  boolean seesPresent(AccountId account) {
    Sighting sighting = sightings.get(account);
    return sighting != null && sighting.view().status().isPresent();
  }

  /// Watches these in place of what was watched before, and answers, one after the other. An answer
  /// may be larger than what may wait for a socket, so the next watch begins when that is not full.
  /// Refusals: those of [#watch].
  ///
  /// @param re what the answer refers to
  Future<Void> answer(@Nullable String re, List<AccountId> named, List<String> roomIds) {
    Future<Void> mine =
        answered
            .transform(_ -> out.isFull() ? out.drained() : Future.succeededFuture())
            .compose(_ -> watch(re, named, roomIds))
            .map(
                state -> {
                  out.send(state);
                  answered();
                  return null;
                });
    answered = mine;
    return mine;
  }

  /// Watches these in place of what was watched before. Refusals: `not_found` for a room of which
  /// the account is no member, `unavailable`. After one nothing is watched.
  ///
  /// @param re what the answer refers to
  Future<PresenceState> watch(@Nullable String re, List<AccountId> named, List<String> roomIds) {
    answering = true;
    return Future.succeededFuture(roomIds)
        .compose(this::find)
        .compose(found -> accounts.existing(viewer, named).map(all -> new Wanted(all, found)))
        .compose(
            wanted -> {
              replace(wanted.named(), wanted.rooms());
              List<AccountId> all = List.copyOf(new LinkedHashSet<>(named));
              return accounts
                  .learn(List.copyOf(sightings.values()))
                  .compose(
                      _ ->
                          Future.join(rooms.values().stream().map(WatchedRoom::count).toList())
                              .otherwiseEmpty())
                  .map(_ -> state(re, all));
            })
        .onFailure(_ -> clear())
        .onComplete(_ -> answering = false);
  }

  private record Wanted(Set<AccountId> named, List<FoundRoom> rooms) {}

  private Future<List<FoundRoom>> find(List<String> roomIds) {
    Set<RoomId> asked = roomIds.stream().map(RoomId::parse).collect(Collectors.toSet());
    if (asked.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return bus.request(new FindRooms(viewer, List.copyOf(asked)))
        .map(FoundRooms::rooms)
        .map(
            found -> {
              if (found.size() < asked.size()) {
                throw new Refusal(ErrorCode.NOT_FOUND, "rooms", "there is no such room");
              }
              return found;
            });
  }

  private void replace(Set<AccountId> named, List<FoundRoom> found) {
    requireOpen();
    requireRoom(named, found);
    begun++;
    named.forEach(account -> see(account, 0).name(true));
    Set<RoomId> kept = new HashSet<>();
    for (FoundRoom room : found) {
      kept.add(room.room());
      WatchedRoom watched = watchedRooms.join(this, room);
      if (rooms.put(room.room(), watched) == null) {
        accounts.countRooms(1);
      }
    }
    for (WatchedRoom room : List.copyOf(rooms.values())) {
      if (!kept.contains(room.id())) {
        drop(room);
      }
    }
    for (Sighting sighting : List.copyOf(sightings.values())) {
      sighting.name(named.contains(sighting.of().id()));
      dropIfOver(sighting);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw Refusal.unavailable("the socket is closed");
    }
  }

  private void requireRoom(Set<AccountId> named, List<FoundRoom> found) {
    Set<AccountId> added = new HashSet<>(named);
    found.forEach(room -> added.addAll(room.accounts()));
    int kept = added.size();
    added.removeAll(sightings.keySet());
    kept -= added.size();
    long newRooms = found.stream().filter(room -> !rooms.containsKey(room.room())).count();
    long members =
        found.stream()
            .filter(room -> !watchedRooms.has(room.room()))
            .mapToLong(room -> room.accounts().size())
            .sum();
    long others = newRooms * WatchMemory.ROOM + members * WatchMemory.MEMBER;
    if (!accounts.hasRoom(this, added, sightings.size() - kept, others)) {
      throw Refusal.unavailable(TOO_MUCH);
    }
  }

  /// @param inRooms in how many rooms more it is watched
  Sighting see(AccountId account, int inRooms) {
    Sighting sighting = sightings.get(account);
    if (sighting == null) {
      if (!answering && !overfull && !accounts.hasRoom(this, List.of(account), 0, 0)) {
        overfull = true;
        accounts.soon(() -> out.close(CloseCode.RESYNC, TOO_MUCH));
      }
      sighting = accounts.see(this, account);
      sightings.put(sighting.of().id(), sighting);
      if (!answering) {
        sighting.told(PresenceView.hidden(account));
        accounts.lookSoon(List.of(sighting));
        accounts.findSoon(List.of(sighting));
      }
    }
    sighting.inRooms(inRooms);
    if (inRooms < 0) {
      dropIfOver(sighting);
    }
    return sighting;
  }

  private void dropIfOver(Sighting sighting) {
    if (sighting.isOver()) {
      sightings.remove(sighting.of().id(), sighting);
      accounts.drop(sighting);
    }
  }

  /// The session does not watch the room any more.
  void drop(WatchedRoom room) {
    if (rooms.remove(room.id(), room)) {
      accounts.countRooms(-1);
      counts.remove(room.id());
      watchedRooms.leave(this, room);
    }
  }

  private PresenceState state(@Nullable String re, List<AccountId> named) {
    requireOpen();
    List<PresenceView> views = new ArrayList<>();
    named.forEach(account -> views.add(answer(account)));
    int members = 0;
    for (Sighting sighting : sightings.values()) {
      if (sighting.isNamed()) {
        continue;
      }
      PresenceView view = sighting.view();
      sighting.told(view.status().isPresent() ? PresenceView.hidden(view.accountId()) : view);
      if (view.status().isPresent() && members < MOST_ANSWERED) {
        members++;
        views.add(answer(sighting));
      }
    }
    List<RoomOnline> online = new ArrayList<>();
    for (WatchedRoom room : rooms.values()) {
      long count = room.online(this);
      counts.put(room.id(), count);
      online.add(new RoomOnline(room.id(), count));
    }
    return new PresenceState(re, views, online);
  }

  /// Whoever does not exist is shown as one who hides.
  private PresenceView answer(AccountId account) {
    Sighting sighting = sightings.get(account);
    return sighting == null ? PresenceView.hidden(account) : answer(sighting);
  }

  private static PresenceView answer(Sighting sighting) {
    PresenceView view = sighting.view();
    sighting.told(view);
    return view;
  }

  /// What came to be while the answer was made, and who was left out of it.
  private void answered() {
    List<Sighting> unseen =
        sightings.values().stream().filter(sighting -> !sighting.isLookedAt()).toList();
    accounts.lookSoon(unseen);
    accounts.findSoon(unseen);
    tellAll();
  }

  /// Tells what became of an account.
  void tell(Sighting sighting) {
    if (out.isFull()) {
      fallBehind();
      return;
    }
    PresenceView view = sighting.view();
    sighting.told(view);
    out.send(Presence.of(view));
    accounts.told();
  }

  /// Tells how many are there, if that is another number; false when that has to be tried again.
  boolean tell(WatchedRoom room) {
    Long told = counts.get(room.id());
    long now = room.online(this);
    if (told == null || told == now) {
      return true; // a session that is being answered gets it with that
    }
    if (out.isFull()) {
      return false;
    }
    counts.put(room.id(), now);
    out.send(new PresenceCount(room.id(), now));
    accounts.told();
    return true;
  }

  private void fallBehind() {
    if (!behind) {
      behind = true;
      out.drained()
          .onSuccess(
              _ -> {
                behind = false;
                tellAll();
              });
    }
  }

  private void tellAll() {
    if (!closed) {
      for (Sighting sighting : List.copyOf(sightings.values())) {
        if (behind) {
          return;
        }
        sighting.tell();
      }
    }
  }

  /// The membership of the account in a room has ended, or not: it may have begun again.
  void left(RoomId room) {
    WatchedRoom watched = rooms.get(room);
    if (watched != null) {
      watchedRooms.check(this, watched);
    }
  }

  private void clear() {
    List.copyOf(rooms.values()).forEach(this::drop);
    List.copyOf(sightings.values())
        .forEach(
            sighting -> {
              sighting.name(false);
              dropIfOver(sighting);
            });
  }

  void close() {
    closed = true;
    clear();
    accounts.leave(this);
  }
}
