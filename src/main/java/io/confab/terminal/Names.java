package io.confab.terminal;

import io.confab.client.Account;
import io.confab.client.ApiException;
import io.confab.client.ChatRoom;
import io.confab.client.ConfabApi;
import io.confab.protocol.AccountId;
import io.confab.protocol.RoomId;
import io.confab.screen.Plain;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The names of people, each read from the server once. For one thread, which waits for the server.
public final class Names {
  private static final int MOST = 10_000;

  private final ConfabApi api;
  private final Known completed;
  private final Map<AccountId, String> known = bounded();
  private final Map<RoomId, String> titles = bounded();

  public Names(ConfabApi api) {
    this(api, new Known());
  }

  /// @param completed receives every name
  Names(ConfabApi api, Known completed) {
    this.api = api;
    this.completed = completed;
  }

  private static <T> Map<T, String> bounded() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<T, String> eldest) {
        return size() > MOST;
      }
    };
  }

  /// Reads the names that are not known yet. A name that cannot be read now is read later.
  public void learn(Collection<AccountId> accounts) {
    List<AccountId> unknown =
        accounts.stream().distinct().filter(account -> !known.containsKey(account)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    try {
      for (Account account : api.accounts(unknown).await()) {
        known.put(account.accountId(), account.handle());
        completed.handles(List.of(account.handle()));
      }
    } catch (ApiException _) {
      // shown by their ids meanwhile
    }
  }

  /// What a room is called, safe to print: its name, or `@handle` of the other in a direct room.
  public String title(ChatRoom room) {
    AccountId peer = room.peerId();
    if (peer != null) {
      learn(List.of(peer));
    }
    String title =
        peer == null
            ? Optional.ofNullable(room.name()).orElseGet(room.roomId()::toString)
            : "@" + of(peer);
    titles.put(room.roomId(), Plain.line(title));
    return Plain.line(title);
  }

  /// The same of several, in their order.
  List<String> titles(List<ChatRoom> rooms) {
    learn(rooms.stream().flatMap(room -> Stream.ofNullable(room.peerId())).toList());
    return rooms.stream().map(this::title).toList();
  }

  /// Reads what a room is called, if that is not known yet.
  void learn(RoomId room) {
    if (!titles.containsKey(room)) {
      try {
        title(api.room(room).await());
      } catch (ApiException _) {
        // shown by its id meanwhile
      }
    }
  }

  /// What a room is called, without asking; the id where that is not known.
  String title(RoomId room) {
    return Optional.ofNullable(titles.get(room)).orElseGet(room::toString);
  }

  /// The handle, safe to print; it is read where it is not known yet.
  String read(AccountId account) {
    learn(List.of(account));
    return Plain.line(of(account));
  }

  /// What a room is called, safe to print; it is read where it is not known yet.
  String read(RoomId room) {
    learn(room);
    return title(room);
  }

  /// The handle; the id where the handle is not known.
  public String of(AccountId account) {
    return Optional.ofNullable(known.get(account)).orElseGet(account::toString);
  }
}
